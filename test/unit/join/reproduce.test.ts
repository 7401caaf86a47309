import { describe, expect, it } from "vitest";
import type { FindingCode } from "../../../contracts/catalogue.ts";
import type { Changes } from "../../../fixtures/evidence-maker/changes.ts";
import { PEOPLE } from "../../../fixtures/evidence-maker/documents.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { finding } from "../../../src/join/finding.ts";
import { renderPage } from "../../../src/join/report/page/page.ts";
import { checkCommands, quoted, verifyCommands } from "../../../src/join/report/reproduce.ts";
import { sarifOf } from "../../../src/join/report/sarif.ts";
import {
  type EvidenceVerdict,
  type VerifyOptions,
  verifyEvidence,
} from "../../../src/join/verify-evidence.ts";
import { folderOf, sharedDecoders } from "./folder-of.ts";

const decoders = sharedDecoders();
const verdictOf = async (
  options: Partial<VerifyOptions> = {},
  changes: Changes = {},
): Promise<EvidenceVerdict> =>
  await verifyEvidence({ folder: await folderOf(changes), clock: systemClock, decoders, ...options });

describe("commands of a report", () => {
  it("verify the same folder under the same policy", async () => {
    const [expectJob, expectGateway] = ["e".repeat(64), "it's"];
    const options = { strictContent: true, secondDecoder: true, expectJob, expectGateway };
    const { report, given } = await verdictOf(options);
    const origin = { evidence: "some where/it's", policyFile: "policy.json", given };
    expect(verifyCommands(report, origin)).toEqual([
      `join verify 'some where/it'\\''s' --policy policy.json --strict-content --second-decoder --expect-job ${expectJob} --expect-gateway 'it'\\''s'`,
    ]);
  });

  it("have no flag that nobody gave, whatever the job's own policy demands", async () => {
    const { report, given } = await verdictOf(
      {},
      {
        job: ({ policy }) => {
          policy.strict_content = true;
          policy.expect_job = "e".repeat(64);
          policy.expect_gateway = PEOPLE.otherGateway;
        },
      },
    );
    expect(report.findings.map((one) => one.code)).toContain("JOIN_GATEWAY_NOT_EXPECTED");
    const origin = { evidence: "e", given };
    expect(verifyCommands(report, origin)).toEqual(["join verify e"]);
    const page = renderPage({ report, pictures: new Map(), origin, beside: [] });
    expect(JSON.stringify(sarifOf(report, origin)) + page).not.toMatch(/--expect-(job|gateway) [eg]/);
  });

  it("ask the second decoder where that is what rejects", async () => {
    const { report } = await verdictOf();
    const one = finding("PNG_DECODERS_DISAGREE", { slot: "b", frame: 209, path: "slots/b/bundle.zip" });
    expect(checkCommands(one, { ...report, findings: [one] }, { evidence: "e" })).toEqual([
      "join verify e --second-decoder",
    ]);
  });

  it("collect first where the folder is gone", async () => {
    const [collect, verify] = verifyCommands((await verdictOf()).report, { evidence: null });
    expect(collect).toBe("join collect --job dusk --gateway URL --token-file FILE --out EVIDENCE");
    expect(verify).toBe("join verify EVIDENCE");
  });

  it.each([
    ["ZIP_CRC", "join inspect e/slots/b/bundle.zip"],
    ["ZIP_MEMBER_MISSING", "join verify e"],
    ["ZIP_TOO_LARGE", "join verify e"],
    ["PNG_CRC", "unzip -p e/slots/b/bundle.zip frame_0209.png > frame_0209.png"],
    ["PNG_SIZE_MISMATCH", "join verify e"],
    ["JOIN_FRAME_DIGEST", "unzip -p e/slots/b/bundle.zip frame_0209.png | sha256sum"],
    ["JOIN_BUNDLE_DIGEST", "sha256sum e/slots/b/bundle.zip"],
    ["JOIN_PROVENANCE_UNSTABLE", "diff e/slots/b/provenance.before.json e/slots/b/provenance.after.json"],
    ["JOIN_SEQUENCE", "join verify e"],
  ] satisfies [FindingCode, string][])("of %s are the most direct ones", async (code, first) => {
    const one = finding(code, { slot: "b", frame: 209, path: "$(rm -rf ~)" });
    expect(checkCommands(one, (await verdictOf()).report, { evidence: "e" })[0]).toBe(first);
  });

  it("quote what a shell would take for its own", () => {
    expect(["plain/a-b_c.1", "a b", "$(x)", "", "-"].map(quoted)).toEqual([
      "plain/a-b_c.1",
      "'a b'",
      "'$(x)'",
      "''",
      "-",
    ]);
  });
});
