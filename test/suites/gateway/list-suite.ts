import { describe, expect, test } from "vitest";
import { HandoffError } from "../../../src/core/error.ts";
import { listWorkers, registerWorker } from "../../../src/gateway/people/workers.ts";
import { enqueue } from "../../../src/gateway/queue/enqueue.ts";
import { event } from "../../../src/gateway/queue/event.ts";
import { listTasks } from "../../../src/gateway/queue/list-tasks.ts";
import { readTask } from "../../../src/gateway/queue/read-task.ts";
import { release } from "../../../src/gateway/queue/release.ts";
import { reopen } from "../../../src/gateway/queue/reopen.ts";
import type { TaskFilter } from "../../../src/gateway/queue/rows.ts";
import { submit } from "../../../src/gateway/queue/submit.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { bodyOf, every, openBench, ready, type StoreUnderTest, take } from "./queue-bench.ts";

/** Rules 6 and 9, and finding tasks. */
export function listSuite(sut: StoreUnderTest): void {
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

    test("workers come in pages too, oldest first, also those of one second", async () => {
      const { queue, clock } = await openBench(sut);
      const who = { name: "worker", operator: null, public_key: null };
      const ids: string[] = [];
      for (const seconds of [100, 101, 101, 102]) {
        clock.seconds = seconds;
        ids.push((await registerWorker(queue.store, clock, who)).worker_uuid);
      }
      const page = (after: string | null) => listWorkers(queue.store, { after, limit: 2 });
      const first = await page(null);
      const second = await page(first.cursor);
      const seen = [...first.workers, ...second.workers].map((worker) => worker.worker_uuid);
      expect(seen).toEqual([ids[0], ...ids.slice(1, 3).sort(), ids[3]]);
      expect([first.cursor, second.cursor]).toEqual([seen[1], null]);
      const unknown = page("w_00000000-0000-4000-8000-000000000000");
      expect(await codeOfPromise(unknown)).toBe("invalid_request_shape");
    });

    test("newest first, pages go on from the cursor backwards; open tasks are those that are not done", async () => {
      const { queue } = await openBench(sut);
      for (const taskId of ["z", "task", "x"])
        await enqueue(queue, { taskId, payload: null, leaseSeconds: 10 });
      const newest = { ...every, newestFirst: true, limit: 2 };
      const ids = async (filter: TaskFilter) =>
        (await listTasks(queue, filter)).tasks.map((task) => task.task_id);
      const first = await listTasks(queue, newest);
      expect([first.tasks.map((task) => task.task_id), first.cursor]).toEqual([["x", "task"], "task"]);
      const second = await listTasks(queue, { ...newest, after: first.cursor });
      expect(second).toMatchObject({ tasks: [{ task_id: "z" }], cursor: null });
      await take(queue, "worker-a");
      await submit(queue, bodyOf("worker-a", 1), "key");
      expect(await ids({ ...every, state: "open" })).toEqual(["z", "x"]);
      expect(await ids({ ...newest, state: "open" })).toEqual(["x", "z"]);
      expect(await ids({ ...newest, state: "done" })).toEqual(["task"]);
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

    test("what is leased is listed through each change, not after a claim that was taken back, and after a restart", async () => {
      const { queue, restart } = await ready(sut);
      const leased = async (of = queue) =>
        (await listTasks(of, { ...every, state: "leased" })).tasks.map((task) => task.worker_id);
      const lease = { taskId: "task", workerId: "worker-a", fence: 1 };
      const unfinished = queue.store.write(async (rows) => {
        const detail = { fencing_token: 1, version: 1 };
        const told = event({ at: 100, kind: "claimed", taskId: "task", workerUuid: "worker-a", detail });
        await rows.takeTask({ ...lease, now: 100, expiresAt: 110 }, null, told);
        expect(await rows.leasedTasks(100, 1)).toMatchObject([lease]);
        throw new HandoffError("not_ready");
      });
      expect([await codeOfPromise(unfinished), await leased()]).toEqual(["not_ready", []]);
      await take(queue, "worker-a");
      expect(await leased()).toEqual(["worker-a"]);
      await release(queue, lease, "X");
      expect(await leased()).toEqual([]);
      await take(queue, "worker-b");
      await submit(queue, bodyOf("worker-b", 2), "key");
      expect(await leased()).toEqual([]);
      await reopen(queue, "task", "X");
      await take(queue, "worker-c");
      expect([await leased(), await leased(await restart())]).toEqual([["worker-c"], ["worker-c"]]);
    });
  });
}
