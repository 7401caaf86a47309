import { describe, expect, it } from "vitest";
import type { FindingCode } from "../../../contracts/catalogue.ts";
import type { JoinReport } from "../../../contracts/documents/join-report.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { finding } from "../../../src/join/finding.ts";
import { checkCommands, quoted, verifyCommands } from "../../../src/join/report/reproduce.ts";
import { verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { folderOf, sharedDecoders } from "./folder-of.ts";

const decoders = sharedDecoders();
const reportOf = async (strictContent: boolean): Promise<JoinReport> =>
  (await verifyEvidence({ folder: await folderOf(), clock: systemClock, decoders, strictContent })).report;

describe("commands of a report", () => {
  it("verify the same folder under the same policy", async () => {
    const origin = { evidence: "some where/it's", policyFile: "policy.json" };
    expect(verifyCommands(await reportOf(true), origin)).toEqual([
      "join verify 'some where/it'\\''s' --policy policy.json --strict-content",
    ]);
  });

  it("collect first where the folder is gone", async () => {
    const [collect, verify] = verifyCommands(await reportOf(false), { evidence: null });
    expect(collect).toBe("join collect --job dusk --gateway URL --token-file FILE --out EVIDENCE");
    expect(verify).toBe("join verify EVIDENCE");
  });

  it.each([
    ["ZIP_CRC", "join inspect e/slots/b/bundle.zip"],
    ["PNG_CRC", "unzip -p e/slots/b/bundle.zip frame_0209.png > frame_0209.png"],
    ["PNG_SIZE_MISMATCH", "join verify e"],
    ["JOIN_FRAME_DIGEST", "unzip -p e/slots/b/bundle.zip frame_0209.png | sha256sum"],
    ["JOIN_BUNDLE_DIGEST", "sha256sum e/slots/b/bundle.zip"],
    ["JOIN_PROVENANCE_UNSTABLE", "diff e/slots/b/provenance.before.json e/slots/b/provenance.after.json"],
    ["JOIN_SEQUENCE", "join verify e"],
  ] satisfies [FindingCode, string][])("of %s are the most direct ones", async (code, first) => {
    const one = finding(code, { slot: "b", frame: 209, path: "$(rm -rf ~)" });
    expect(checkCommands(one, await reportOf(false), { evidence: "e" })[0]).toBe(first);
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
