import { describe, expect, it } from "vitest";
import type { Changes } from "../../../fixtures/evidence-maker/changes.ts";
import { PEOPLE } from "../../../fixtures/evidence-maker/documents.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { parseStrict } from "../../../src/core/json/parse-strict.ts";
import { finding } from "../../../src/join/finding.ts";
import { reportText } from "../../../src/join/report/report-text.ts";
import { verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { folderOf, sharedDecoders } from "./folder-of.ts";

const decoders = sharedDecoders();
const reportOf = async (changes: Changes) =>
  (await verifyEvidence({ folder: await folderOf(changes), clock: systemClock, decoders })).report;

describe("findings", () => {
  it("have texts that are well-formed wherever they are cut", () => {
    const long = `${"x".repeat(499)}\u{1f600}\u{1f600}`;
    const { path, expected, actual } = finding("JOIN_GATEWAY_MIXED", {
      path: long,
      expected: long,
      actual: long,
    });
    for (const text of [path, expected, actual])
      expect([text?.length, text?.isWellFormed()]).toEqual([500, true]);
  });

  it("make a report that a strict reader takes, whatever the evidence holds", async () => {
    const long = `${"x".repeat(475)}${"\u{1f600}".repeat(100)}`;
    const report = await reportOf({
      gateway: ({ answers }) =>
        answers.push(
          { path: long, gateway_id: PEOPLE.otherGateway },
          { path: `${long.slice(1)}`, gateway_id: PEOPLE.otherGateway },
        ),
    });
    expect(report.findings.map((one) => one.code)).toContain("JOIN_GATEWAY_MIXED");
    expect(() => parseStrict(Buffer.from(reportText(report)))).not.toThrow();
  });

  it("of one kind are a hundred at most, and one that says how many more there are", async () => {
    const report = await reportOf({
      gateway: ({ answers }) => {
        for (let count = 0; count < 5_000; count += 1)
          answers.push({ path: `answer ${count}`, gateway_id: PEOPLE.otherGateway });
      },
    });
    const mixed = report.findings.filter((one) => one.code === "JOIN_GATEWAY_MIXED");
    expect(mixed).toHaveLength(101);
    expect(mixed.at(-1)).toMatchObject({ path: "gateway.json", expected: null, actual: "4900 more" });
    expect(report.verdict).toBe("rejected");
  });

  it("may be more than a call takes arguments, and still end in a verdict", async () => {
    const report = await reportOf({
      late: (files) => {
        const { files: listed, ...rest } = JSON.parse(String(files.get("evidence.json")));
        const one = { ...listed[0], sha256: "e".repeat(64) };
        files.set(
          "evidence.json",
          Buffer.from(JSON.stringify({ ...rest, files: Array.from({ length: 70_000 }, () => one) })),
        );
      },
    });
    const digest = report.findings.filter((one) => one.code === "JOIN_EVIDENCE_DIGEST");
    expect([report.verdict, digest.length]).toEqual(["rejected", 101]);
  });
});
