import { expect, test } from "vitest";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { claim } from "../../../src/gateway/queue/claim.ts";
import { enqueue } from "../../../src/gateway/queue/enqueue.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { readAdapter } from "./adapter.ts";
import { LEASE_SECONDS, type OurStore, openOurs } from "./our-store.ts";
import { type Played, type Reference, seedText, startReference } from "./python-reference.ts";

// Every deliberate difference of adapter.json, seen on both sides.

const adapter = readAdapter();
const seed000 = seedText("000");

interface Sides {
  readonly reference: Reference;
  readonly ours: OurStore;
}
type Both = readonly [reference: Played, ours: Played];

const BODY = (fence: string, result: string): Buffer =>
  Buffer.from(`{"task_id":"task","worker_id":"worker-a","fencing_token":${fence},"result":${result}}`);
const claimTask = { op: "claim", task: "task", worker: "worker-a", now: 100, ttl: LEASE_SECONDS } as const;

async function each({ reference, ours }: Sides, operation: Parameters<Reference["play"]>[0]): Promise<Both> {
  return [await reference.play(operation), await ours.play(operation)];
}
/** A task that worker-a holds under fence 1 on both sides; the body handed in at second 101. */
async function handedIn(sides: Sides, raw: Buffer, key = "key"): Promise<Both> {
  return each(sides, { op: "submit", task: "task", raw, key, now: 101 });
}
const resultDigest = ({ value }: Played): unknown =>
  JSON.parse(Buffer.from(String(value), "base64").toString("utf8"))["result_sha256"];
const codes = (both: Both): string[] => both.map((played) => played.code);

const ROWS: Record<string, (sides: Sides) => Promise<void>> = {
  "number-forms": async (sides) => {
    const both = await handedIn(sides, BODY("1", "[1.0,1e2]"));
    expect(codes(both)).toEqual(["ok", "ok"]);
    expect(resultDigest(both[1])).not.toBe(resultDigest(both[0]));
    const again = await openOurs();
    await again.play({ op: "enqueue", task: "task", payload: {} });
    await again.play(claimTask);
    const plain = await again.play({
      op: "submit",
      task: "task",
      raw: BODY("1", "[1,100]"),
      key: "k",
      now: 101,
    });
    expect(resultDigest(both[1])).toBe(resultDigest(plain));
  },
  "integral-fence": async (sides) => {
    expect(codes(await handedIn(sides, BODY("1.0", "1")))).toEqual(["invalid_fence", "ok"]);
  },
  "large-integers": async (sides) => {
    expect(codes(await handedIn(sides, BODY("1", "9007199254740992")))).toEqual(["ok", "invalid_json"]);
  },
  "astral-key-order": async (sides) => {
    const both = await handedIn(sides, BODY("1", '{"\uffee":1,"😀":2}'));
    expect(codes(both)).toEqual(["ok", "ok"]);
    expect(resultDigest(both[1])).not.toBe(resultDigest(both[0]));
  },
  depth: async (sides) => {
    const nested = `${"[".repeat(64)}1${"]".repeat(64)}`;
    expect(codes(await handedIn(sides, BODY("1", nested)))).toEqual(["ok", "invalid_json"]);
  },
  "body-size": async (sides) => {
    const text = JSON.stringify("x".repeat(8 * 1024 * 1024));
    expect(codes(await handedIn(sides, BODY("1", text)))).toEqual(["ok", "body_too_large"]);
  },
  "task-unknown": async (sides) => {
    expect(codes(await each(sides, { ...claimTask, task: "other" }))).toEqual(["not_ready", "task_unknown"]);
    const raw = canonicalBytes({ task_id: "other", worker_id: "w", fencing_token: 1, result: 1 });
    const both = await each(sides, { op: "submit", task: "other", raw, key: "key", now: 101 });
    expect(codes(both)).toEqual(["stale_or_invalid_lease", "task_unknown"]);
  },
  "submit-to-done": async (sides) => {
    await handedIn(sides, BODY("1", "1"));
    const both = await handedIn(sides, BODY("1", "1"), "another-key");
    expect(codes(both)).toEqual(["stale_or_invalid_lease", "not_ready"]);
  },
  "lease-of-the-task": async ({ reference, ours }) => {
    const same = { op: "enqueue", task: "task", payload: {} } as const;
    expect((await reference.play(same)).code).toBe("ok");
    const other = enqueue(ours.queue(), { taskId: "task", payload: {}, leaseSeconds: LEASE_SECONDS + 1 });
    expect(await codeOfPromise(other)).toBe("task_identity_conflict");
  },
  "claim-replay": async ({ reference, ours }) => {
    const again = await reference.play({ ...claimTask, now: 101 });
    expect(again.code).toBe("already_leased");
    await ours.play({ op: "enqueue", task: "keyed", payload: {} });
    const request = { taskId: "keyed", workerId: "worker-a", idempotencyKey: "claim-1" };
    const first = await claim(ours.queue(), request);
    const second = await claim(ours.queue(), request);
    expect(second).toEqual({ ...first, replayed: true });
  },
  "clock-never-back": async (sides) => {
    await each(sides, { ...claimTask, now: 100 + LEASE_SECONDS, worker: "worker-b" });
    const back = { op: "submit", task: "task", raw: BODY("1", "1"), key: "key", now: 50 } as const;
    expect(codes(await each(sides, back))).toEqual(["stale_or_invalid_lease", "stale_or_invalid_lease"]);
    const late = await each(sides, { ...claimTask, now: 50, worker: "worker-c" });
    expect(codes(late)).toEqual(["already_leased", "already_leased"]);
    for (const operation of [
      { op: "enqueue", task: "second", payload: {} },
      { ...claimTask, task: "second", now: 50 },
    ] as const)
      await each(sides, operation);
    const [theirs, own] = await each(sides, { ...claimTask, task: "second", now: 50 + LEASE_SECONDS });
    expect([theirs.code, own.code]).toEqual(["ok", "already_leased"]);
  },
  "known-key-before-fence": async (sides) => {
    const first = await handedIn(sides, BODY("1", "1"));
    expect(codes(first)).toEqual(["ok", "ok"]);
    const stale = await handedIn(sides, BODY("7", "2"));
    expect(codes(stale)).toEqual(["idempotency_conflict", "idempotency_conflict"]);
  },
};

test.skipIf(seed000 === null).each(adapter.differences.map(({ id }) => id))(
  "the difference %s is as the adapter states it",
  async (id) => {
    const sides = { reference: await startReference(seed000 ?? ""), ours: await openOurs() };
    await each(sides, { op: "enqueue", task: "task", payload: {} });
    await each(sides, claimTask);
    const row = ROWS[id];
    if (row === undefined) throw new Error(`no test for the difference ${id}`);
    await row(sides);
  },
);

test("every tested difference is listed in the adapter", () => {
  expect(Object.keys(ROWS).sort()).toEqual(adapter.differences.map(({ id }) => id).sort());
});
