import { describe, expect, test } from "vitest";
import { STANDARD_LIMITS } from "../../../contracts/documents/job.ts";
import { STANDARD_POLICY } from "../../../contracts/documents/policy.ts";
import { revokeWorker } from "../../../src/gateway/people/workers.ts";
import { heartbeat } from "../../../src/gateway/queue/heartbeat.ts";
import { readObject } from "../../../src/gateway/queue/read-object.ts";
import { release } from "../../../src/gateway/queue/release.ts";
import { reopen, reopenVersion } from "../../../src/gateway/queue/reopen.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { withJob } from "./job-bench.ts";
import type { StoreUnderTest } from "./queue-bench.ts";

/** Rules 1 and 10 for slots: caps, distinct workers, passing over, revocation. */
export function slotSuite(sut: StoreUnderTest): void {
  describe(`${sut.name}: claiming slots`, () => {
    test("after max_claims of one version the attempts are exhausted, and reopening counts anew", async () => {
      const limits = { ...STANDARD_LIMITS, max_claims: 2, lease_seconds: 10 };
      const { clock, take, worker, queue, win } = await withJob(sut, { limits });
      const [one, two] = [await worker(), await worker()];
      await take(one, "a");
      clock.seconds = 110;
      await win(one, "a");
      await reopen(queue, "shot-1.a", "JOIN_FRAMES");
      await take(two, "a");
      clock.seconds = 120;
      await take(two, "a");
      clock.seconds = 130;
      expect(await codeOfPromise(take(two, "a"))).toBe("attempts_exhausted");
    });

    test("a slot whose attempts are exhausted can be reopened once nobody holds it, and is handed in as version 2", async () => {
      const limits = { ...STANDARD_LIMITS, max_claims: 2, lease_seconds: 10 };
      const { clock, take, worker, queue, win } = await withJob(sut, { limits });
      const [one, two] = [await worker(), await worker()];
      const again = () => reopen(queue, "shot-1.a", "INTERRUPTED");
      await take(one, "a");
      await release(queue, { taskId: "shot-1.a", workerId: one, fence: 1 }, "INTERRUPTED");
      expect(await codeOfPromise(again())).toBe("not_done"); // one attempt is left
      await take(one, "a");
      expect(await codeOfPromise(again())).toBe("not_done"); // leased
      clock.seconds = 110;
      expect(await codeOfPromise(take(two, "a"))).toBe("attempts_exhausted");
      expect(await again()).toEqual({ task_id: "shot-1.a", state: "ready", version: 2 });
      expect(await codeOfPromise(again())).toBe("not_done");
      expect(await win(two, "a")).toBe(3);
      const object = { key: "shot-1.a", version: null, sha256: null, reader: null };
      expect(await readObject(queue, object)).toMatchObject({ version_num: 2, version_count: 2 });
    });

    test("a slot that was released with its last attempt can be reopened too", async () => {
      const limits = { ...STANDARD_LIMITS, max_claims: 1 };
      const { take, worker, queue } = await withJob(sut, { limits });
      const one = await worker();
      for (const [version, fence] of [
        [1, 1],
        [2, 2],
      ] as const) {
        expect((await take(one, "a")).answer).toMatchObject({ version, fencing_token: fence });
        await release(queue, { taskId: "shot-1.a", workerId: one, fence }, "INTERRUPTED");
        expect(await codeOfPromise(take(one, "a"))).toBe("attempts_exhausted");
        await reopenVersion(queue, { taskId: "shot-1.a", version }, "INTERRUPTED");
      }
    });

    test("the holder of one slot is refused the other, and so is its winner", async () => {
      const { queue, take, worker, win } = await withJob(sut);
      const [one, two] = [await worker(), await worker()];
      await take(one, "a");
      expect(await codeOfPromise(take(one, "b"))).toBe("worker_not_distinct");
      await win(two, "b");
      await revokeWorker(queue.store, one);
      expect(await codeOfPromise(take(two, "a"))).toBe("worker_not_distinct");
    });

    test("a worker whose lease has ended may take the other slot", async () => {
      const { take, worker, clock } = await withJob(sut);
      const one = await worker();
      await take(one, "a");
      clock.seconds = 160;
      expect((await take(one, "b")).answer.fencing_token).toBe(1);
    });

    test("one worker may take both slots where the policy does not refuse it at claim", async () => {
      const { win, worker } = await withJob(sut, {
        policy: { ...STANDARD_POLICY, distinct_at_claim: false },
      });
      const one = await worker();
      await win(one, "a");
      expect(await win(one, "b")).toBe(1);
    });

    test("where operators must differ, two workers of one operator are refused at claim", async () => {
      const policy = { ...STANDARD_POLICY, distinct: "operator" } as const;
      const { take, worker } = await withJob(sut, { policy });
      const [one, two, three] = [await worker("ann"), await worker("ann"), await worker("bob")];
      await take(one, "a");
      expect(await codeOfPromise(take(two, "b"))).toBe("worker_not_distinct");
      expect((await take(three, "b")).answer.worker_id).toBe(three);
    });

    test("a worker whose result was rejected is passed over until nobody else is left", async () => {
      const { queue, take, worker, win } = await withJob(sut);
      const [one, two, three] = [await worker(), await worker(), await worker()];
      await win(one, "a");
      await win(two, "b");
      await reopen(queue, "shot-1.a", "JOIN_FRAMES");
      expect(await codeOfPromise(take(one, "a"))).toBe("worker_passed_over");
      await revokeWorker(queue.store, three);
      expect((await take(one, "a")).answer).toMatchObject({ version: 2, fencing_token: 2 });
    });

    test("who would be refused as the sibling's operator does not keep a slot from the one passed over", async () => {
      const policy = { ...STANDARD_POLICY, distinct: "operator" } as const;
      const { queue, take, worker, win } = await withJob(sut, { policy });
      const [one, two, three] = [await worker("ann"), await worker("bob"), await worker("bob")];
      await win(two, "b");
      await win(one, "a");
      await reopen(queue, "shot-1.a", "JOIN_FRAMES");
      expect(await codeOfPromise(take(three, "a"))).toBe("worker_not_distinct");
      const four = await worker(); // of no operator: it would be let in
      expect(await codeOfPromise(take(one, "a"))).toBe("worker_passed_over");
      await revokeWorker(queue.store, four);
      expect((await take(one, "a")).answer).toMatchObject({ version: 2, fencing_token: 2 });
    });

    test("two workers that were both passed over do not wait for each other for ever", async () => {
      const { queue, take, worker, win } = await withJob(sut);
      const [one, two, sibling] = [await worker(), await worker(), await worker()];
      await win(sibling, "b");
      await win(one, "a");
      await reopen(queue, "shot-1.a", "JOIN_FRAMES");
      await win(two, "a");
      await reopen(queue, "shot-1.a", "JOIN_FRAMES");
      expect((await take(one, "a")).answer.version).toBe(3);
    });

    test("a revoked worker's lease ends, its claim is refused and its accepted result stays", async () => {
      const { queue, take, worker, win } = await withJob(sut);
      const [one, two] = [await worker(), await worker()];
      await win(one, "a");
      await take(two, "b");
      const lease = { taskId: "shot-1.b", workerId: two, fence: 1 };
      const first = await revokeWorker(queue.store, two);
      expect(await codeOfPromise(heartbeat(queue, lease, null))).toBe("stale_or_invalid_lease");
      expect(await codeOfPromise(take(two, "b"))).toBe("worker_revoked");
      await revokeWorker(queue.store, one);
      expect((await queue.store.read((rows) => rows.task("shot-1.a")))?.state).toBe("done");
      expect(await revokeWorker(queue.store, two)).toEqual(first);
    });

    test("heartbeats do not lead past claimed_at + slot_seconds", async () => {
      const limits = { ...STANDARD_LIMITS, lease_seconds: 60, slot_seconds: 90 };
      const { queue, take, worker, clock } = await withJob(sut, { limits });
      const one = await worker();
      expect((await take(one, "a")).answer.lease_seconds).toBe(60);
      const lease = { taskId: "shot-1.a", workerId: one, fence: 1 };
      clock.seconds = 140;
      expect(await heartbeat(queue, lease, null)).toEqual({
        lease_expires_at: "1970-01-01T00:03:10Z",
        lease_seconds: 50,
      });
      clock.seconds = 190;
      expect(await codeOfPromise(heartbeat(queue, lease, null))).toBe("stale_or_invalid_lease");
    });
  });
}
