import { describe, expect, onTestFinished, test } from "vitest";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { claim } from "../../../src/gateway/queue/claim.ts";
import { enqueue } from "../../../src/gateway/queue/enqueue.ts";
import { heartbeat } from "../../../src/gateway/queue/heartbeat.ts";
import { listTasks } from "../../../src/gateway/queue/list-tasks.ts";
import type { Queue } from "../../../src/gateway/queue/queue.ts";
import { readReceipt } from "../../../src/gateway/queue/read-receipt.ts";
import { readTask } from "../../../src/gateway/queue/read-task.ts";
import { release } from "../../../src/gateway/queue/release.ts";
import { reopen } from "../../../src/gateway/queue/reopen.ts";
import type { QueueStore } from "../../../src/gateway/queue/store.ts";
import { submit } from "../../../src/gateway/queue/submit.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { temporaryFolder } from "../../support/temporary.ts";

/** A store that the suite is run on; `open` of the same folder finds what was committed. */
export interface StoreUnderTest {
  readonly name: string;
  open(folder: string, clock: TestClock): Promise<QueueStore>;
}

/** A clock whose second is set by the test. */
export interface TestClock {
  seconds: number;
  wallSeconds(): number;
  uuid(): string;
}
export function testClock(seconds = 100): TestClock {
  let made = 0;
  return {
    seconds,
    wallSeconds() {
      return this.seconds;
    },
    uuid: () => {
      made += 1;
      return `00000000-0000-4000-8000-${String(made).padStart(12, "0")}`;
    },
  };
}

export interface Bench {
  readonly queue: Queue;
  readonly clock: TestClock;
  readonly folder: string;
  /** Closes the store and opens it again, as a restart does. */
  restart(): Promise<Queue>;
}

/** An open store with its clock at second 100. */
export async function openBench(sut: StoreUnderTest): Promise<Bench> {
  const folder = await temporaryFolder();
  const clock = testClock();
  const open = async (): Promise<Queue> => {
    const store = await sut.open(folder, clock);
    onTestFinished(() => store.close().catch(() => {}));
    return { store, faultPoint: () => {} };
  };
  const queue = await open();
  return {
    queue,
    clock,
    folder,
    restart: async () => {
      await queue.store.close();
      return open();
    },
  };
}

export const bodyOf = (worker: string, fence: number, result: unknown = { answer: 42 }): Buffer =>
  canonicalBytes({ task_id: "task", worker_id: worker, fencing_token: fence, result });
const take = (queue: Queue, workerId: string, idempotencyKey: string | null = null) =>
  claim(queue, { taskId: "task", workerId, idempotencyKey });
const ready = async (sut: StoreUnderTest): Promise<Bench> => {
  const bench = await openBench(sut);
  await enqueue(bench.queue, { taskId: "task", payload: { work: 1 }, leaseSeconds: 10 });
  return bench;
};
const every = { state: null, slot: null, jobId: null, after: null, limit: 10 } as const;

/** Rules 1 to 9 of the queue for tasks of any kind; what every store must do. */
export function queueSuite(sut: StoreUnderTest): void {
  describe(`${sut.name}: claim`, () => {
    test("of two concurrent claimants exactly one wins, the other is told the remaining seconds", async () => {
      const { queue } = await ready(sut);
      const both = await Promise.allSettled([take(queue, "worker-a"), take(queue, "worker-b")]);
      expect(both.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
      const lost = both.find((one) => one.status === "rejected");
      expect(lost?.reason).toMatchObject({ code: "already_leased", retryAfterSeconds: 10 });
      expect((await readTask(queue, "task", null)).fencing_token).toBe(1);
    });

    test("a task that was never enqueued is unknown", async () => {
      const { queue } = await openBench(sut);
      expect(await codeOfPromise(take(queue, "worker-a"))).toBe("task_unknown");
    });

    test("one second before the expiry the task is leased, at the expiry it can be claimed", async () => {
      const { queue, clock } = await ready(sut);
      await take(queue, "worker-a");
      clock.seconds = 109;
      expect(await codeOfPromise(take(queue, "worker-b"))).toBe("already_leased");
      clock.seconds = 110;
      expect((await take(queue, "worker-b")).answer).toMatchObject({
        fencing_token: 2,
        worker_id: "worker-b",
      });
    });

    test("the fence grows over release, expiry and reopening and never goes back", async () => {
      const { queue, clock } = await ready(sut);
      const lease = { taskId: "task", workerId: "worker-a", fence: 1 };
      await take(queue, "worker-a");
      await release(queue, lease, "INTERRUPTED");
      expect((await take(queue, "worker-a")).answer.fencing_token).toBe(2);
      clock.seconds = 110;
      expect((await take(queue, "worker-a")).answer.fencing_token).toBe(3);
      await submit(queue, bodyOf("worker-a", 3), "key-1");
      await reopen(queue, "task", "JOIN_FRAMES");
      expect((await take(queue, "worker-a")).answer).toMatchObject({ fencing_token: 4, version: 2 });
    });

    test("a repeated key gives the same lease with its current expiry", async () => {
      const { queue, clock } = await ready(sut);
      await take(queue, "worker-a", "claim-1");
      clock.seconds = 105;
      await heartbeat(queue, { taskId: "task", workerId: "worker-a", fence: 1 }, null);
      clock.seconds = 107;
      const again = await take(queue, "worker-a", "claim-1");
      expect(again).toMatchObject({ replayed: true, answer: { fencing_token: 1, lease_seconds: 8 } });
      expect(again.answer.lease_expires_at).toBe("1970-01-01T00:01:55Z");
    });

    test("the key of one worker is nothing to another", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a", "claim-1");
      expect(await codeOfPromise(take(queue, "worker-b", "claim-1"))).toBe("already_leased");
    });

    const ends: [string, (queue: Queue, clock: TestClock) => Promise<unknown>][] = [
      ["release", (queue) => release(queue, { taskId: "task", workerId: "worker-a", fence: 1 }, "X")],
      [
        "expiry",
        async (_queue, clock) => {
          clock.seconds = 110;
        },
      ],
      ["submit", (queue) => submit(queue, bodyOf("worker-a", 1), "key-1")],
      [
        "reopening",
        async (queue) => {
          await submit(queue, bodyOf("worker-a", 1), "key-1");
          await reopen(queue, "task", "X");
        },
      ],
    ];
    test.each(ends)("the key of a claim is spent after %s", async (_name, end) => {
      const { queue, clock } = await ready(sut);
      await take(queue, "worker-a", "claim-1");
      await end(queue, clock);
      expect(await codeOfPromise(take(queue, "worker-a", "claim-1"))).toBe("claim_key_spent");
    });

    test("a clock that steps back does not go below the last committed second", async () => {
      const bench = await ready(sut);
      bench.clock.seconds = 200;
      await take(bench.queue, "worker-a");
      bench.clock.seconds = 50;
      const queue = await bench.restart();
      expect(await codeOfPromise(take(queue, "worker-b"))).toBe("already_leased");
      const beat = await heartbeat(queue, { taskId: "task", workerId: "worker-a", fence: 1 }, null);
      expect(beat).toEqual({ lease_expires_at: "1970-01-01T00:03:30Z", lease_seconds: 10 });
    });
  });

  describe(`${sut.name}: heartbeat and release`, () => {
    const wrong: [string, { workerId: string; fence: number }, number][] = [
      ["another worker", { workerId: "worker-b", fence: 1 }, 101],
      ["a fence too high", { workerId: "worker-a", fence: 2 }, 101],
      ["the second of the expiry", { workerId: "worker-a", fence: 1 }, 110],
    ];
    test.each(wrong)("%s changes nothing", async (_name, { workerId, fence }, second) => {
      const { queue, clock } = await ready(sut);
      await take(queue, "worker-a");
      const before = await queue.store.read((rows) => rows.task("task"));
      clock.seconds = second;
      const lease = { taskId: "task", workerId, fence };
      expect(await codeOfPromise(heartbeat(queue, lease, null))).toBe("stale_or_invalid_lease");
      expect(await codeOfPromise(release(queue, lease, "X"))).toBe("stale_or_invalid_lease");
      expect(await queue.store.read((rows) => rows.task("task"))).toEqual(before);
    });

    test("the same worker's older fence is refused while its newer run holds the task", async () => {
      const { queue, clock } = await ready(sut);
      await take(queue, "worker-a");
      clock.seconds = 110;
      await take(queue, "worker-a");
      const old = { taskId: "task", workerId: "worker-a", fence: 1 };
      expect(await codeOfPromise(heartbeat(queue, old, null))).toBe("stale_or_invalid_lease");
    });

    test("progress of a heartbeat is told until the task is free again", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a");
      const lease = { taskId: "task", workerId: "worker-a", fence: 1 };
      const progress = {
        phase: "render",
        frame: 206,
        frames_done: 1,
        sample: 8,
        samples: 16,
        watchdog_left_s: 100,
      } as const;
      await heartbeat(queue, lease, progress);
      expect((await readTask(queue, "task", null)).progress).toEqual(progress);
      await release(queue, lease, "X");
      expect((await readTask(queue, "task", null)).progress).toBeNull();
    });
  });

  describe(`${sut.name}: submit`, () => {
    test("the receipt is the canonical form of exactly eight fields", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a");
      const raw = Buffer.from(
        '{ "result": {"b": 1, "a": "雪"}, "task_id": "task", "worker_id": "worker-a", "fencing_token": 1 }',
      );
      const { receipt } = await submit(queue, raw, "key-1");
      expect(receipt.toString("utf8")).toBe(
        `{"fencing_token":1,"idempotency_key":"key-1","lease_expires_at":"1970-01-01T00:01:50Z",` +
          `"request_sha256":"${sha256(raw)}","result_sha256":"${sha256('{"a":"雪","b":1}')}",` +
          `"state":"done","task_id":"task","worker_id":"worker-a"}`,
      );
      const kept = await readReceipt(queue, { taskId: "task", version: null, reader: null });
      expect(kept.request.equals(raw)).toBe(true);
    });

    test("the same key and bytes give the stored receipt after expiry, completion and restart", async () => {
      const bench = await ready(sut);
      await take(bench.queue, "worker-a");
      const first = await submit(bench.queue, bodyOf("worker-a", 1), "key-1");
      bench.clock.seconds = 999;
      const queue = await bench.restart();
      const again = await submit(queue, bodyOf("worker-a", 1), "key-1");
      expect(again).toMatchObject({ replayed: true, superseded: false });
      expect(again.receipt.equals(first.receipt)).toBe(true);
    });

    test("after reopening the old receipt comes as superseded, and both receipts stay on record", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a");
      const first = await submit(queue, bodyOf("worker-a", 1), "key-1");
      await reopen(queue, "task", "JOIN_FRAMES");
      expect(await submit(queue, bodyOf("worker-a", 1), "key-1")).toEqual({
        receipt: first.receipt,
        replayed: true,
        superseded: true,
      });
      await take(queue, "worker-b");
      const second = await submit(queue, bodyOf("worker-b", 2), "key-2");
      const read = async (version: number | null) =>
        (await readReceipt(queue, { taskId: "task", version, reader: null })).receipt;
      expect(await read(1)).toEqual(first.receipt);
      expect(await read(2)).toEqual(second.receipt);
      expect(await read(null)).toEqual(second.receipt);
    });

    test("the same key with other bytes is a conflict, white space included", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a");
      await submit(queue, bodyOf("worker-a", 1), "key-1");
      const spaced = Buffer.concat([bodyOf("worker-a", 1), Buffer.from("\n")]);
      expect(await codeOfPromise(submit(queue, spaced, "key-1"))).toBe("idempotency_conflict");
      expect(await codeOfPromise(submit(queue, bodyOf("worker-b", 9), "key-1"))).toBe("idempotency_conflict");
    });

    test("a done task refuses any unused key", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a");
      await submit(queue, bodyOf("worker-a", 1), "key-1");
      expect(await codeOfPromise(submit(queue, bodyOf("worker-a", 1), "key-2"))).toBe("not_ready");
      expect(await codeOfPromise(take(queue, "worker-b"))).toBe("not_ready");
    });

    test("a stale submit is refused and changes nothing while the newer worker holds the task", async () => {
      const { queue, clock } = await ready(sut);
      await take(queue, "worker-a");
      clock.seconds = 110;
      await take(queue, "worker-b");
      const before = await queue.store.read((rows) => rows.task("task"));
      expect(await codeOfPromise(submit(queue, bodyOf("worker-a", 1), "key-1"))).toBe(
        "stale_or_invalid_lease",
      );
      expect(await queue.store.read((rows) => rows.task("task"))).toEqual(before);
      expect(await queue.store.read((rows) => rows.receiptByKey("task", "key-1"))).toBeNull();
    });

    test("at exactly the second of the expiry a new completion is refused", async () => {
      const { queue, clock } = await ready(sut);
      await take(queue, "worker-a");
      clock.seconds = 110;
      expect(await codeOfPromise(submit(queue, bodyOf("worker-a", 1), "key-1"))).toBe(
        "stale_or_invalid_lease",
      );
      clock.seconds = 109;
      expect((await submit(queue, bodyOf("worker-a", 1), "key-1")).replayed).toBe(false);
    });

    const malformed: [string, string, string][] = [
      ["a duplicate key", '{"task_id":"task","task_id":"task"}', "duplicate_json_key"],
      ["a number that is not finite", '{"result":1e999}', "invalid_json"],
      ["no JSON", "NaN", "invalid_json"],
      ["a missing field", '{"task_id":"task","worker_id":"w","fencing_token":1}', "invalid_request_shape"],
      [
        "a further field",
        '{"task_id":"task","worker_id":"w","fencing_token":1,"result":1,"x":1}',
        "invalid_request_shape",
      ],
      [
        "a boolean fence",
        '{"task_id":"task","worker_id":"w","fencing_token":true,"result":1}',
        "invalid_request_shape",
      ],
      [
        "an absent fence",
        '{"task_id":"task","worker_id":"w","fencing_token":null,"result":1}',
        "invalid_request_shape",
      ],
      [
        "an empty worker",
        '{"task_id":"task","worker_id":"","fencing_token":1,"result":1}',
        "invalid_request_shape",
      ],
      ["an array", "[]", "invalid_request_shape"],
    ];
    test.each(malformed)("a body with %s is refused with its code", async (_name, text, code) => {
      const { queue } = await ready(sut);
      expect(await codeOfPromise(submit(queue, Buffer.from(text), "key-1"))).toBe(code);
    });

    test("a failure after the result was written takes the result back", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a");
      const before = await queue.store.read((rows) => rows.task("task"));
      const failing: Queue = {
        store: queue.store,
        faultPoint: (name) => {
          if (name === "submit_before_commit") throw new Error("made to fail");
        },
      };
      await expect(submit(failing, bodyOf("worker-a", 1), "key-1")).rejects.toThrow("made to fail");
      expect(await queue.store.read((rows) => rows.task("task"))).toEqual(before);
      expect(await queue.store.read((rows) => rows.receiptByKey("task", "key-1"))).toBeNull();
      expect((await submit(queue, bodyOf("worker-a", 1), "key-1")).replayed).toBe(false);
    });
  });

  describe(`${sut.name}: enqueue, reopen, list`, () => {
    test("the same task again is a no-op, with other content a conflict", async () => {
      const { queue } = await ready(sut);
      const again = { taskId: "task", payload: { work: 1 }, leaseSeconds: 10 };
      expect(await enqueue(queue, again)).toBe(false);
      const other = [
        { ...again, payload: { work: 2 } },
        { ...again, leaseSeconds: 11 },
      ];
      for (const one of other)
        expect(await codeOfPromise(enqueue(queue, one))).toBe("task_identity_conflict");
    });

    test("a slot's payload cannot be enqueued beside its job", async () => {
      const { queue } = await openBench(sut);
      const payload = {
        schema: "render_handoff.slot_task.v1",
        job_sha256: "a".repeat(64),
        job_id: "shot-1",
        slot: "a",
      };
      const code = await codeOfPromise(enqueue(queue, { taskId: "shot-1.a", payload, leaseSeconds: 10 }));
      expect(code).toBe("invalid_request_shape");
      expect(await codeOfPromise(readTask(queue, "shot-1.a", null))).toBe("task_unknown");
    });

    test("only a done task can be reopened", async () => {
      const { queue } = await ready(sut);
      expect(await codeOfPromise(reopen(queue, "task", "X"))).toBe("not_done");
      expect(await codeOfPromise(reopen(queue, "other", "X"))).toBe("task_unknown");
    });

    test("pages are oldest first and end with a null cursor", async () => {
      const { queue } = await openBench(sut);
      for (const taskId of ["z", "y", "x"]) await enqueue(queue, { taskId, payload: null, leaseSeconds: 10 });
      const first = await listTasks(queue, { ...every, limit: 2 });
      expect(first.tasks.map((task) => task.task_id)).toEqual(["z", "y"]);
      const second = await listTasks(queue, { ...every, limit: 2, after: first.cursor });
      expect(second).toMatchObject({ tasks: [{ task_id: "x" }], cursor: null });
      expect(await codeOfPromise(listTasks(queue, { ...every, after: "unknown" }))).toBe(
        "invalid_request_shape",
      );
    });

    test("a lease that has ended is listed and told as ready", async () => {
      const { queue, clock } = await ready(sut);
      await take(queue, "worker-a");
      expect((await listTasks(queue, { ...every, state: "ready" })).tasks).toEqual([]);
      clock.seconds = 110;
      const found = await listTasks(queue, { ...every, state: "ready" });
      expect(found.tasks).toMatchObject([{ state: "ready", worker_id: null, lease_expires_at: null }]);
      expect((await listTasks(queue, { ...every, state: "leased" })).tasks).toEqual([]);
    });
  });
}
