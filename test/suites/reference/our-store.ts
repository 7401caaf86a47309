import { onTestFinished } from "vitest";
import { HandoffError } from "../../../src/core/error.ts";
import { claim } from "../../../src/gateway/queue/claim.ts";
import { enqueue } from "../../../src/gateway/queue/enqueue.ts";
import type { Queue } from "../../../src/gateway/queue/queue.ts";
import { submit } from "../../../src/gateway/queue/submit.ts";
import { type TestClock, testClock } from "../gateway/queue-bench.ts";
import { SQLITE } from "../gateway/sqlite-store.ts";
import { memoryFolder } from "./memory-folder.ts";
import type { Operation, Played, Row } from "./python-reference.ts";

export const LEASE_SECONDS = 10;

export interface OurStore {
  readonly queue: () => Queue;
  readonly clock: TestClock;
  play(operation: Operation): Promise<Played>;
  restart(): Promise<void>;
}

/** Our store behind the operations of the reference; the clock is set from each operation. */
export async function openOurs(): Promise<OurStore> {
  const folder = await memoryFolder();
  const clock = testClock(0);
  let store = await SQLITE.open(folder, clock);
  onTestFinished(() => store.close());
  const queue = (): Queue => ({ store, faultPoint: null });
  return {
    queue,
    clock,
    restart: async () => {
      await store.close();
      store = await SQLITE.open(folder, clock);
    },
    play: async (operation) => {
      if (operation.op !== "enqueue") clock.seconds = operation.now;
      const ended = await run(queue(), operation).then(
        (value) => ({ code: "ok", value }),
        (thrown: unknown) => {
          if (thrown instanceof HandoffError) return { code: String(thrown.code), value: null };
          throw thrown;
        },
      );
      return { ...ended, row: await rowOf(queue(), operation.task) };
    },
  };
}

async function run(queue: Queue, operation: Operation): Promise<unknown> {
  switch (operation.op) {
    case "enqueue":
      await enqueue(queue, {
        taskId: operation.task,
        payload: operation.payload,
        leaseSeconds: LEASE_SECONDS,
      });
      return null;
    case "claim":
      return (
        await claim(queue, { taskId: operation.task, workerId: operation.worker, idempotencyKey: null })
      ).answer;
    case "submit":
      return (await submit(queue, operation.raw, operation.key)).receipt.toString("base64");
  }
}

const rowOf = (queue: Queue, taskId: string): Promise<Row | null> =>
  queue.store.read(async (rows) => {
    const task = await rows.task(taskId);
    if (task === null) return null;
    const receipt = await rows.receipt(taskId, task.version);
    return {
      state: task.state,
      worker: task.workerId,
      fence: task.fence,
      expires: task.expiresAt,
      receipts: receipt === null ? 0 : 1,
    };
  });
