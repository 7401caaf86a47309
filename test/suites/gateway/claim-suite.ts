import { describe, expect, test } from "vitest";
import { heartbeat } from "../../../src/gateway/queue/heartbeat.ts";
import type { Queue } from "../../../src/gateway/queue/queue.ts";
import { readTask } from "../../../src/gateway/queue/read-task.ts";
import { release } from "../../../src/gateway/queue/release.ts";
import { reopen } from "../../../src/gateway/queue/reopen.ts";
import { submit } from "../../../src/gateway/queue/submit.ts";
import { codeOfPromise } from "../../support/code-of.ts";

import { bodyOf, openBench, ready, type StoreUnderTest, type TestClock, take } from "./queue-bench.ts";

/** Rules 1 and 2: who gets a task, when, and what a repeated claim gets. */
export function claimSuite(sut: StoreUnderTest): void {
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
}
