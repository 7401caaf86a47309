import { expect, test } from "vitest";
import type { ChildResult } from "../../../contracts/documents/child-result.ts";
import { clockAt } from "../../../src/dispatch/clock-at.ts";
import { pick } from "../../../src/dispatch/pick.ts";
import type { Entry } from "../../../src/dispatch/queue.ts";
import { settle } from "../../../src/dispatch/settle.ts";
import { manualClock } from "../../support/manual-clock.ts";

const ENTRY: Entry = {
  id: "one",
  slot: "a",
  job_id: "shot",
  gateway_url: "http://127.0.0.1:1",
  every_seconds: null,
  state: "waiting",
  reason: null,
  due: 100,
  runs: 1,
  failures: 0,
  last_outcome: null,
};
const RESULT: ChildResult = {
  schema: "render_handoff.child_result.v1",
  outcome: "completed",
  reason: null,
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
};
const ANY = { ...ENTRY, job_id: null, every_seconds: 300 };
const failed = (reason: string): ChildResult => ({ ...RESULT, outcome: "failed", reason });

test.each<[string, Entry, ChildResult, object]>([
  ["one job, completed: done, no next due", ENTRY, RESULT, { state: "done", due: null }],
  ["one job, done by another", ENTRY, { ...RESULT, outcome: "no_due_job" }, { state: "done", due: null }],
  ["any job, completed: after its pause", ANY, RESULT, { state: "waiting", due: 1_300 }],
  ["any job, none there", ANY, { ...RESULT, outcome: "no_due_job" }, { state: "waiting", due: 1_300 }],
  [
    "deferred: the time that the run gives",
    { ...ENTRY, failures: 3 },
    { ...RESULT, outcome: "deferred", next_due_utc: "1970-01-01T00:30:00Z" },
    { state: "waiting", due: 1_800, failures: 0 },
  ],
  ["held: as due as it was", ENTRY, { ...RESULT, outcome: "held" }, { state: "waiting", due: 100 }],
  ["stopped by a signal: as due as it was", ENTRY, failed("INTERRUPTED"), { due: 100, failures: 0 }],
  ["worth a retry: later", ENTRY, failed("LEASE_LOST"), { state: "waiting", due: 1_030, failures: 1 }],
  ["again: twice as late", { ...ENTRY, failures: 2 }, failed("LEASE_LOST"), { due: 1_120, failures: 3 }],
  ["for ever: at most an hour", { ...ENTRY, failures: 99 }, failed("LEASE_LOST"), { due: 4_600 }],
  [
    "one job, not worth one: held",
    ENTRY,
    failed("RENDER_WATCHDOG"),
    { state: "held", reason: "RENDER_WATCHDOG" },
  ],
  ["any job, not worth one: others may be", ANY, failed("RENDER_WATCHDOG"), { state: "waiting", due: 1_030 }],
])("%s", (_, entry, result, expected) => {
  expect(settle(entry, result, 1_000)).toMatchObject(expected);
});

const considered = (entry: Partial<Entry>, gate: Partial<{ notBefore: number; held: boolean }> = {}) => ({
  entry: { ...ENTRY, ...entry },
  host: "h:1",
  gate: { notBefore: null, held: false, reason: null, ...gate },
});

test("the entry that has been due longest is picked; a host's pause counts as its own time", () => {
  const early = considered({ id: "early", due: 10 }, { notBefore: 2_000 });
  const late = considered({ id: "late", due: 900 });
  expect(pick([early, late], 1_000)).toMatchObject({ due: { entry: { id: "late" } }, nextDue: 900 });
  expect(pick([early], 1_000)).toMatchObject({ due: null, nextDue: 2_000 });
  expect(pick([early], 2_000).due).toBe(early);
});

test("what is done, or held, or on a held host is not picked", () => {
  const entries = [
    considered({ id: "done", state: "done", due: null }),
    considered({ id: "stuck", state: "held" }),
    considered({ id: "far" }, { held: true }),
  ];
  expect(pick(entries, 1_000)).toEqual({
    due: null,
    nextDue: null,
    heldHosts: ["h:1"],
    heldEntries: ["stuck"],
  });
});

test("another time goes on from where it was set", async () => {
  const clock = manualClock();
  const moved = clockAt(clock, 5_000);
  expect(moved.wallSeconds()).toBe(5_000);
  await clock.sleep(3_500);
  expect(moved.wallSeconds()).toBe(5_003);
});
