import { expect, test } from "vitest";
import type { FinalTask, HistoryEvent, Invariant } from "../support/history.ts";
import { checkHistory } from "../support/history-checker.ts";

// A good history, and one fault of each kind planted in it.

const event = (change: Partial<HistoryEvent> & Pick<HistoryEvent, "op" | "sent">): HistoryEvent => ({
  task: "t",
  worker: "w1",
  fence: null,
  key: null,
  bodySha256: null,
  ended: change.sent + 5,
  sentSecond: 100 + Math.floor(change.sent / 1_000),
  outcome: "ok",
  replayed: false,
  fenceGiven: null,
  version: null,
  expires: null,
  receipt: null,
  ...change,
});
const claim = (sent: number, fenceGiven: number, change: Partial<HistoryEvent> = {}): HistoryEvent =>
  event({
    op: "claim",
    sent,
    fenceGiven,
    key: `c${fenceGiven}`,
    version: 1,
    expires: 102 + Math.floor(sent / 1_000),
    ...change,
  });
const submit = (sent: number, fence: number, change: Partial<HistoryEvent> = {}): HistoryEvent =>
  event({
    op: "submit",
    sent,
    fence,
    key: `s${fence}`,
    bodySha256: `b${fence}`,
    receipt: `r${fence}`,
    ...change,
  });
const beat = (sent: number, fence: number, change: Partial<HistoryEvent> = {}): HistoryEvent =>
  event({ op: "heartbeat", sent, fence, expires: 102 + Math.floor(sent / 1_000), ...change });

const GOOD: readonly HistoryEvent[] = [
  claim(0, 1),
  claim(10, 1, { replayed: true }),
  beat(1_000, 1),
  event({ op: "release", sent: 1_500, fence: 1 }),
  claim(2_000, 2, { worker: "w2" }),
  submit(2_100, 1, { outcome: "stale_or_invalid_lease", receipt: null }),
  submit(2_200, 2, { worker: "w2" }),
  submit(2_300, 2, { worker: "w2", replayed: true }),
  submit(2_400, 2, { worker: "w2", outcome: "unknown", receipt: null }),
  event({ op: "release", sent: 2_500, fence: 2, outcome: "stale_or_invalid_lease" }),
];
const FINAL: FinalTask = {
  task: "t",
  state: "done",
  version: 1,
  fence: 2,
  leaseSeconds: 2,
  slotSeconds: 4,
  receipts: ["r2"],
};
const found = (events: readonly HistoryEvent[], final: Partial<FinalTask> = {}): string[] =>
  checkHistory({ events, final: [{ ...FINAL, ...final }] }).map(({ invariant }) => invariant);

test("a good history breaks no invariant", () => {
  expect(found(GOOD)).toEqual([]);
});

test("a claim whose answer was lost gives nothing to conclude from", () => {
  expect(found([...GOOD, claim(2_600, 3, { outcome: "unknown", fenceGiven: null })])).toEqual([]);
});

test("a reopening whose answer was lost may have had its effect or not", () => {
  const lost = event({ op: "reopen", sent: 2_600, outcome: "unknown" });
  for (const version of [1, 2]) expect(found([...GOOD, lost], { version })).toEqual([]);
});

const FAULTS: readonly (readonly [string, Invariant, readonly HistoryEvent[], Partial<FinalTask>])[] = [
  [
    "two results of one version",
    "one-result-per-version",
    [submit(2_250, 2, { key: "other", receipt: "r9" })],
    { receipts: ["r2"] },
  ],
  ["the same fence twice", "fence-grows", [claim(2_600, 2, { worker: "w1", key: "c9" })], {}],
  ["a fence that went back", "fence-grows", [claim(2_600, 1, { key: "c9" })], {}],
  ["a task whose fence is below one that was given", "fence-grows", [], { fence: 1 }],
  ["a key that gives a second lease", "spent-key", [claim(2_600, 3, { key: "c1" })], { fence: 3 }],
  ["a key that gives a released lease again", "spent-key", [claim(1_700, 1, { replayed: true })], {}],
  ["a lease beyond slot_seconds", "slot-seconds", [beat(1_400, 1, { expires: 105 })], {}],
  [
    "a submit under an older fence",
    "stale-fence",
    [submit(2_150, 1)],
    { receipts: ["r1", "r2"], version: 2 },
  ],
  ["a heartbeat under an older fence", "stale-fence", [beat(2_150, 1)], {}],
  ["a release under an older fence", "stale-fence", [event({ op: "release", sent: 2_150, fence: 1 })], {}],
  [
    "a submit in the second of expiry",
    "expired-lease",
    [submit(4_000, 2, { worker: "w2", key: "late" })],
    {},
  ],
  ["an acknowledged receipt that is gone", "acknowledged-survives", [], { receipts: [null] }],
  ["another receipt in its place", "acknowledged-survives", [], { receipts: ["r3"] }],
  ["a replay with other bytes", "replay-bytes", [submit(2_350, 2, { replayed: true, receipt: "r2 " })], {}],
  ["a replay for another body", "replay-bytes", [submit(2_350, 2, { replayed: true, bodySha256: "b9" })], {}],
  ["a version that nobody has reopened", "versions-reopened", [], { version: 2 }],
  ["a reopening that had no effect", "versions-reopened", [event({ op: "reopen", sent: 2_600 })], {}],
];

test.each(FAULTS)("%s is found as %s", (_, invariant, planted, final) => {
  expect(found([...GOOD, ...planted], final)).toContain(invariant);
});

test("every invariant has a planted fault", () => {
  expect(new Set(FAULTS.map(([, invariant]) => invariant)).size).toBe(9);
});
