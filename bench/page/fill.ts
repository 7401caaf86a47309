import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { canonicalBytes } from "../../src/core/json/canonical.ts";
import { registerWorker } from "../../src/gateway/people/workers.ts";
import { claim } from "../../src/gateway/queue/claim.ts";
import { putJob } from "../../src/gateway/queue/put-job.ts";
import { openSqliteStore } from "../../src/gateway/queue/sqlite/open.ts";
import { submit } from "../../src/gateway/queue/submit.ts";
import { recordBlob } from "../../src/gateway/queue/upload.ts";
import { blobOf } from "../../test/suites/gateway/job-bench.ts";
import { BUNDLE, SCENE, sampleJob, sampleResult } from "../../test/support/gateway-job.ts";

const TOGETHER = 200;

/** A data folder with finished handoffs, by the verbs themselves; many at a time share a flush. */
export async function fill(dataFolder: string, handoffs: number): Promise<void> {
  const store = openSqliteStore({ path: join(dataFolder, "queue.sqlite"), clock: systemClock });
  const queue = { store, faultPoint: null };
  await recordBlob(queue, blobOf(SCENE));
  await recordBlob(queue, blobOf(BUNDLE));
  const person = async (name: string): Promise<string> =>
    (await registerWorker(store, systemClock, { name, operator: null, public_key: null })).worker_uuid;
  const workers = { a: await person("one"), b: await person("two") };
  const finish = async (n: number): Promise<void> => {
    const job = sampleJob({ job_id: `shot-${String(n).padStart(6, "0")}` });
    await putJob(queue, canonicalBytes(job));
    for (const slot of ["a", "b"] as const) {
      const held = { task_id: `${job.job_id}.${slot}`, worker_id: workers[slot] };
      const taken = { taskId: held.task_id, workerId: held.worker_id, idempotencyKey: null };
      const { fencing_token } = (await claim(queue, taken)).answer;
      const body = canonicalBytes({ ...held, fencing_token, result: sampleResult(job, slot) });
      await submit(queue, body, `key-${slot}`);
    }
  };
  for (let first = 0; first < handoffs; first += TOGETHER) {
    const count = Math.min(TOGETHER, handoffs - first);
    await Promise.all(Array.from({ length: count }, (_, n) => finish(first + n)));
  }
  await store.close();
}
