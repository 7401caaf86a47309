import { describe, expect, test } from "vitest";
import { claim } from "../../../src/gateway/queue/claim.ts";
import { enqueue } from "../../../src/gateway/queue/enqueue.ts";
import type { Queue } from "../../../src/gateway/queue/queue.ts";
import { BEGINNING, startReading } from "../../../src/gateway/queue/read-events.ts";
import { release } from "../../../src/gateway/queue/release.ts";
import { reopen } from "../../../src/gateway/queue/reopen.ts";
import { submit } from "../../../src/gateway/queue/submit.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { bodyOf, ready, type StoreUnderTest, take } from "./queue-bench.ts";

const moveOn = ({ store }: Queue): Promise<number> =>
  store.write(async (rows) => rows.moveOn(await rows.now()));
const taskOf = ({ store }: Queue, taskId = "task") => store.read((rows) => rows.task(taskId));
const boundsOf = ({ store }: Queue) => store.read((rows) => rows.eventBounds());

/** The store is as it was when a copy of it was made; what its gateways did afterwards is lost. */
export function restoredSuite(sut: StoreUnderTest): void {
  describe(`${sut.name}: a store that was restored`, () => {
    test("frees what was leased, and its next fence is above all that the lost life may have given out", async () => {
      const { queue, clock } = await ready(sut);
      await take(queue, "worker-a");
      clock.seconds = 400;
      const floor = await moveOn(queue);
      expect(floor).toBeGreaterThanOrEqual(300 * 1_000);
      expect(await taskOf(queue)).toMatchObject({ state: "ready", workerId: null, fence: floor });
      expect(await queue.store.read((rows) => rows.leasedTasks(0, 9))).toEqual([]);
      expect(await codeOfPromise(submit(queue, bodyOf("worker-a", 1), "old run"))).toBe(
        "stale_or_invalid_lease",
      );
      expect((await take(queue, "worker-a")).answer.fencing_token).toBe(floor + 1);
    });

    test("a done task keeps the fence of its receipt, and goes on above the floor once it is reopened", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a");
      const body = bodyOf("worker-a", 1);
      const { receipt } = await submit(queue, body, "key");
      const floor = await moveOn(queue);
      expect(await taskOf(queue)).toMatchObject({ state: "done", fence: 1 });
      expect((await submit(queue, body, "key")).receipt).toEqual(receipt);
      await reopen(queue, "task", "X");
      expect((await take(queue, "worker-a")).answer.fencing_token).toBe(floor + 1);
      expect(await codeOfPromise(submit(queue, bodyOf("worker-a", 2), "old run"))).toBe(
        "stale_or_invalid_lease",
      );
    });

    test("a task that was lost and is put again does not begin at a fence that it had", async () => {
      const { queue } = await ready(sut);
      const floor = await moveOn(queue);
      await enqueue(queue, { taskId: "lost", payload: 1, leaseSeconds: 10 });
      const taken = await claim(queue, { taskId: "lost", workerId: "worker-a", idempotencyKey: null });
      expect(taken.answer.fencing_token).toBe(floor + 1);
    });

    test("a copy that is restored once more goes on above what the first restore gave out", async () => {
      const { queue, clock } = await ready(sut);
      const first = await moveOn(queue);
      clock.seconds += 1;
      await take(queue, "worker-a");
      await release(queue, { taskId: "task", workerId: "worker-a", fence: first + 1 }, "X");
      const second = await moveOn(queue);
      expect(second).toBeGreaterThan(first + 1);
    });

    test("a reader of the lost life is told to read anew, also after as many new events as it had seen", async () => {
      const { queue } = await ready(sut);
      // told once the server has no older transaction that runs
      await expect.poll(() => boundsOf(queue)).not.toBeNull();
      const seen = (await boundsOf(queue))?.last ?? BEGINNING;
      const lost = { tx: seen.tx, id: seen.id + 2 };
      await moveOn(queue);
      for (const taskId of ["new-1", "new-2", "new-3"])
        await enqueue(queue, { taskId, payload: 1, leaseSeconds: 10 });
      await expect
        .poll(async () => (await queue.store.read((rows) => rows.eventsAfter(BEGINNING, 9))).length)
        .toBe(4);
      const place = (await boundsOf(queue))?.last;
      for (const cursor of [seen, lost])
        expect(await startReading(queue.store, cursor)).toEqual({ place, reset: true });
      expect(place?.id).toBeGreaterThan(lost.id);
    });
  });
}
