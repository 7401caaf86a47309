import { expect, test } from "vitest";
import type { ChildResult } from "../../../contracts/documents/child-result.ts";
import { HandoffError } from "../../../src/core/error.ts";
import { ENDINGS, endingFor, exitCodeOf } from "../../../src/render-child/endings.ts";

test.each(ENDINGS)("$event: $outcome", (rule) => {
  for (const code of rule.codes) expect(endingFor(new HandoffError(code))).toBe(rule);
  if (rule.outcome === "failed") expect(rule.codes.length).toBeGreaterThan(0);
  else expect(rule.kills).toBeNull();
});

test("no code stands in two rows", () => {
  const codes = ENDINGS.flatMap((rule) => rule.codes);
  expect(new Set(codes).size).toBe(codes.length);
});

test("anything else fails and gives the slot back", () => {
  expect(endingFor(new HandoffError("RENDER_FRAME_INVALID"))).toMatchObject({
    outcome: "failed",
    releases: true,
  });
});

const result = (outcome: ChildResult["outcome"], reason: string | null): ChildResult => ({
  schema: "render_handoff.child_result.v1",
  outcome,
  reason,
  message: null,
  details: [],
  slot: "a",
  task_id: null,
  fencing_token: null,
  next_due_utc: null,
  transport_attempts: {},
  timings_ms: {},
  bundle_sha256: null,
  reused: false,
});

test.each<[number, ChildResult["outcome"], string | null]>([
  [0, "completed", null],
  [0, "busy", null],
  [0, "deferred", "GATEWAY_UNAVAILABLE"],
  [0, "held", "GATEWAY_HELD"],
  [3, "failed", "LEASE_LOST"],
  [4, "failed", "RENDER_WATCHDOG"],
  [4, "failed", "worker_not_distinct"],
  [2, "failed", "USAGE_INSECURE_GATEWAY"],
])("exit %d for %s %s", (exit, outcome, reason) => {
  expect(exitCodeOf(result(outcome, reason))).toBe(exit);
});
