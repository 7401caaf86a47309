import { describe, expect, test } from "vitest";
import type { FindingCode } from "../../../contracts/catalogue.ts";
import type { JoinReport } from "../../../contracts/documents/join-report.ts";
import { STANDARD_POLICY } from "../../../contracts/documents/policy.ts";
import { Verdict } from "../../../contracts/documents/verdict.ts";
import type { Slot } from "../../../contracts/flow.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { finding } from "../../../src/join/finding.ts";
import { guiltOf, postOf } from "../../../src/join/post.ts";
import { reportText } from "../../../src/join/report/report-text.ts";
import { codeOf } from "../../support/code-of.ts";

const PINS = {
  a: { version_num: 1, sha256_hash: sha256("a") },
  b: { version_num: 2, sha256_hash: sha256("b") },
};
const found = (code: FindingCode, slot: Slot | null) => finding(code, { slot, path: "slots" });

const report = (change: Partial<JoinReport> = {}): JoinReport => ({
  schema: "render_handoff.join_report.v1",
  verdict: "rejected",
  job_id: "shot-1",
  job_sha256: sha256("job"),
  gateway_id: "g_00000000-0000-4000-8000-000000000001",
  policy: STANDARD_POLICY,
  anchored: { job: true, gateway: true },
  findings: [found("PNG_CRC", "b"), found("PNG_CRC", "b"), found("JOIN_CONTENT_BLANK", "a")],
  frames: [],
  content: { frames: [], neighbours: [], seam: null },
  provenance: { a: null, b: null },
  evidence: [],
  timings_ms: {},
  created_at: "2026-01-01T00:00:00Z",
  tool_version: "0.1.0",
  ...change,
});

describe("what is posted of a verdict", () => {
  test("it carries the digest of join-report.json, the pins and every code once", () => {
    const posted = postOf(report(), PINS);
    expect(Verdict.safeParse(posted).success).toBe(true);
    expect(posted).toMatchObject({
      verdict: "rejected",
      report_sha256: sha256(reportText(report())),
      finding_codes: ["JOIN_CONTENT_BLANK", "PNG_CRC"],
      built_on: PINS,
    });
  });

  test("an undecided verdict is not posted", () => {
    expect(postOf(report({ verdict: "undecided" }), PINS)).toBeNull();
  });

  test.each<[string, Partial<JoinReport>, Parameters<typeof postOf>[1]]>([
    ["no job", { job_id: null, job_sha256: null }, PINS],
    ["no gateway", { gateway_id: null }, PINS],
    ["no version of a slot's object", {}, { ...PINS, b: null }],
  ])("evidence that names %s cannot be posted", (_name, change, pins) => {
    expect(codeOf(() => postOf(report(change), pins))).toBe("JOIN_POST_IMPOSSIBLE");
  });
});

describe("which slot is to be rendered again", () => {
  const guilt = (...findings: JoinReport["findings"]) => guiltOf({ verdict: "rejected", findings });

  test("the one that a rejecting finding names, for its own codes", () => {
    expect(guiltOf(report())).toEqual({ slots: [{ slot: "b", reason: "PNG_CRC" }] });
  });

  test("both where each has a fault of its own", () => {
    expect(guilt(found("ZIP_CRC", "b"), found("PNG_CRC", "b"), found("PNG_CRC", "a"))).toEqual({
      slots: [
        { slot: "a", reason: "PNG_CRC" },
        { slot: "b", reason: "PNG_CRC, ZIP_CRC" },
      ],
    });
  });

  test("none where both are blamed together, and that is said", () => {
    expect(guilt(found("JOIN_WORKER_NOT_DISTINCT", null))).toEqual({
      none: "JOIN_WORKER_NOT_DISTINCT blames no single slot",
    });
  });

  test("the guilty one where both are blamed for something else besides", () => {
    expect(guilt(found("JOIN_COLOUR_MISMATCH", null), found("PNG_CRC", "b"))).toEqual({
      slots: [{ slot: "b", reason: "PNG_CRC" }],
    });
  });

  test("none where job or gateway are to blame as well", () => {
    expect(guilt(found("PNG_CRC", "b"), found("JOIN_GATEWAY_MIXED", null))).toHaveProperty("none");
    expect(guilt(found("PNG_CRC", "b"), found("JOIN_JOB_INVALID", null))).toHaveProperty("none");
  });

  test("none for a verdict that is no rejection", () => {
    expect(guiltOf({ verdict: "undecided", findings: report().findings })).toHaveProperty("none");
  });

  test("a reason has whole codes and at most 500 characters", () => {
    const codes = Array.from({ length: 40 }, (_, index) => `CODE_OF_SOME_LENGTH_${index + 10}`);
    const findings = codes.map((code) => ({ ...found("PNG_CRC", "b"), code }));
    const told = guilt(...findings);
    const reason = "slots" in told ? (told.slots[0]?.reason ?? "") : "";
    expect(reason.length).toBeLessThanOrEqual(500);
    const named = reason.match(/CODE_OF_SOME_LENGTH_\d\d/g) ?? [];
    expect(reason.endsWith(`, ${40 - named.length} more`)).toBe(true);
  });
});
