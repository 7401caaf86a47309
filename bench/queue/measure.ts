import { canonicalBytes } from "../../src/core/json/canonical.ts";
import { claim } from "../../src/gateway/queue/claim.ts";
import { enqueue } from "../../src/gateway/queue/enqueue.ts";
import type { Queue } from "../../src/gateway/queue/queue.ts";
import type { QueueStore } from "../../src/gateway/queue/store.ts";
import { submit } from "../../src/gateway/queue/submit.ts";

export const RESULT = { answer: 42 };
export const queueOf = (store: QueueStore): Queue => ({ store, faultPoint: null });

export const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

/** Enqueues `count` tasks, then claims and completes each, `side` of them at a time; pairs in a second. */
export async function pairsPerSecond(
  queue: Queue,
  { prefix, count, side }: { prefix: string; count: number; side: number },
): Promise<number> {
  const ids = Array.from({ length: count }, (_, n) => `${prefix}.${n}`);
  for (const taskId of ids) await enqueue(queue, { taskId, payload: { work: taskId }, leaseSeconds: 600 });
  const started = performance.now();
  const rest = ids.values();
  const lane = async (worker: string): Promise<void> => {
    for (const taskId of rest) {
      const { answer } = await claim(queue, { taskId, workerId: worker, idempotencyKey: null });
      const { fencing_token } = answer;
      const body = { task_id: taskId, worker_id: worker, fencing_token, result: RESULT };
      await submit(queue, canonicalBytes(body), `key.${taskId}`);
    }
  };
  await Promise.all(Array.from({ length: side }, (_, n) => lane(`worker-${n}`)));
  return count / ((performance.now() - started) / 1_000);
}
