import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { claim } from "../../../src/gateway/queue/claim.ts";
import { enqueue } from "../../../src/gateway/queue/enqueue.ts";
import type { FaultPoint, Queue } from "../../../src/gateway/queue/queue.ts";
import { reopen } from "../../../src/gateway/queue/reopen.ts";
import { submit } from "../../../src/gateway/queue/submit.ts";
import { every, openBench } from "./queue-bench.ts";
import { SQLITE } from "./sqlite-store.ts";

// SQLite's lists of what may be open or leased: nothing open is ever missing, and done tasks leave them in the end.

const MANY = 200;

async function finish(queue: Queue, taskId: string): Promise<void> {
  await enqueue(queue, { taskId, payload: null, leaseSeconds: 60 });
  const { answer } = await claim(queue, { taskId, workerId: "w", idempotencyKey: null });
  const { fencing_token } = answer;
  await submit(queue, canonicalBytes({ task_id: taskId, worker_id: "w", fencing_token, result: 1 }), taskId);
}

const inState = (queue: Queue, state: "open" | "leased") =>
  queue.store.read(async (rows) =>
    (await rows.tasks({ ...every, state, limit: MANY }, 100)).map(({ taskId }) => taskId),
  );

function listed(folder: string): number {
  const db = new DatabaseSync(join(folder, "queue.sqlite"), { readOnly: true });
  try {
    return Number(db.prepare("SELECT COUNT(*) AS tasks FROM open_tasks").get()?.["tasks"]);
  } finally {
    db.close();
  }
}

test("of 200 tasks that are done fewer than 64 stay listed, and none once the store is opened again", async () => {
  const { queue, folder, restart } = await openBench(SQLITE);
  for (let n = 0; n < MANY; n += 1) await finish(queue, `t.${n}`);
  expect(listed(folder)).toBeLessThan(64);
  expect(await inState(queue, "open")).toEqual([]);
  expect(await inState(queue, "leased")).toEqual([]);
  await restart();
  expect(listed(folder)).toBe(0);
});

test("a task that is reopened is listed again, after any number of others", async () => {
  const { queue, restart } = await openBench(SQLITE);
  await finish(queue, "first");
  await reopen(queue, "first", "JOIN_CONTENT_BLANK");
  for (let n = 0; n < MANY; n += 1) await finish(queue, `t.${n}`);
  expect(await inState(queue, "open")).toEqual(["first"]);
  await claim(queue, { taskId: "first", workerId: "w", idempotencyKey: null });
  expect(await inState(queue, "leased")).toEqual(["first"]);
  expect(await inState(await restart(), "leased")).toEqual(["first"]);
});

test("a submit that is taken back leaves its task listed, whatever is taken out later", async () => {
  const { queue, restart } = await openBench(SQLITE);
  await enqueue(queue, { taskId: "kept", payload: null, leaseSeconds: 60 });
  await claim(queue, { taskId: "kept", workerId: "w", idempotencyKey: null });
  const ended = (name: FaultPoint) => {
    if (name === "submit_before_commit") throw new Error("ended");
  };
  const body = canonicalBytes({ task_id: "kept", worker_id: "w", fencing_token: 1, result: 1 });
  await expect(submit({ ...queue, faultPoint: ended }, body, "key")).rejects.toThrow("ended");
  for (let n = 0; n < MANY; n += 1) await finish(queue, `t.${n}`);
  expect(await inState(queue, "leased")).toEqual(["kept"]);
  expect(await inState(await restart(), "open")).toEqual(["kept"]);
});
