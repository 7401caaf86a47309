import type { Job } from "../../../contracts/documents/job.ts";
import type { Slot } from "../../../contracts/flow.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { registerWorker } from "../../../src/gateway/people/workers.ts";
import { claim } from "../../../src/gateway/queue/claim.ts";
import { putJob } from "../../../src/gateway/queue/put-job.ts";
import { submit } from "../../../src/gateway/queue/submit.ts";
import { recordBlob } from "../../../src/gateway/queue/upload.ts";
import { BUNDLE, SCENE, sampleJob, sampleResult } from "../../support/gateway-job.ts";
import { type Bench, openBench, type StoreUnderTest } from "./queue-bench.ts";

export type Worker = string;
export const blobOf = (bytes: Buffer) => ({ sha256: sha256(bytes), bytes: bytes.byteLength });

export interface JobBench extends Bench {
  readonly job: Job;
  worker(operator?: string | null): Promise<Worker>;
  take(worker: Worker, slot: Slot): ReturnType<typeof claim>;
  /** Claims and submits; the fence. */
  win(worker: Worker, slot: Slot): Promise<number>;
}

export async function withJob(sut: StoreUnderTest, change: Partial<Job> = {}): Promise<JobBench> {
  const bench = await openBench(sut);
  const { queue, clock } = bench;
  const job = sampleJob(change);
  await recordBlob(queue, blobOf(SCENE));
  await recordBlob(queue, blobOf(BUNDLE));
  await putJob(queue, canonicalBytes(job));
  let keys = 0;
  const take = (workerId: Worker, slot: Slot) =>
    claim(queue, { taskId: `${job.job_id}.${slot}`, workerId, idempotencyKey: null });
  return {
    ...bench,
    job,
    take,
    worker: async (operator = null) =>
      (await registerWorker(queue.store, clock, { name: "worker", operator, public_key: null })).worker_uuid,
    win: async (worker, slot) => {
      const { fencing_token } = (await take(worker, slot)).answer;
      keys += 1;
      await submit(queue, slotBody(job, { worker, slot, fence: fencing_token }), `key-${keys}`);
      return fencing_token;
    },
  };
}

export const slotBody = (
  job: Job,
  { worker, slot, fence, result }: { worker: Worker; slot: Slot; fence: number; result?: unknown },
): Buffer =>
  canonicalBytes({
    task_id: `${job.job_id}.${slot}`,
    worker_id: worker,
    fencing_token: fence,
    result: result ?? sampleResult(job, slot),
  });
