import { brokenJobRules, Job } from "../../../contracts/documents/job.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import { slotTaskId } from "../../../contracts/names.ts";
import { sha256 } from "../../core/digest.ts";
import { HandoffError } from "../../core/error.ts";
import { canonicalBytes } from "../../core/json/canonical.ts";
import { narrow } from "../../core/json/read-document.ts";
import { addTask } from "./enqueue.ts";
import { event } from "./event.ts";
import { parseBody } from "./parse-body.ts";
import type { Queue } from "./queue.ts";
import type { NewTask } from "./rows.ts";
import type { WriteRows } from "./store.ts";

export interface StoredJob {
  readonly job_id: string;
  readonly job_sha256: string;
  readonly created: boolean;
}

/** Stores a job's exact bytes and enqueues its slots in one transaction; the same bytes again change nothing. */
export async function putJob(queue: Queue, bytes: Buffer): Promise<StoredJob> {
  const job = validJob(bytes);
  const digest = sha256(bytes);
  return queue.store.write(async (rows) => {
    const old = await rows.job(job.job_id);
    if (old !== null && old.sha256 !== digest)
      throw new HandoffError("task_identity_conflict", "Another job has this id.");
    if (old === null) {
      await needScene(rows, job);
      const scene = [...new Set(job.scene.files.map((file) => file.sha256))];
      await rows.insertJob({ jobId: job.job_id, sha256: digest, bytes }, scene, await rows.now());
      const put = { at: await rows.now(), jobId: job.job_id, detail: { job_sha256: digest } };
      await rows.insertEvent(event({ ...put, kind: "job_put" }));
      for (const task of slotTasks(job, digest)) {
        if (!(await addTask(rows, task))) throw new HandoffError("task_identity_conflict");
      }
    }
    return { job_id: job.job_id, job_sha256: digest, created: old === null };
  });
}

function validJob(bytes: Buffer): Job {
  const json = parseBody(bytes, LIMITS.jobBytes);
  const read = narrow(Job, json);
  if (!read.ok) throw new HandoffError("job_invalid", `${read.path || "/"}: ${read.problem}.`);
  const broken = brokenJobRules(read.value);
  if (broken.length > 0) throw new HandoffError("job_invalid", `${broken[0]}.`, { details: broken });
  if (!canonicalBytes(json).equals(bytes))
    throw new HandoffError("job_invalid", "The bytes are not in canonical form (RFC 8785).");
  return read.value;
}

async function needScene(rows: WriteRows, job: Job): Promise<void> {
  for (const file of job.scene.files) {
    if ((await rows.blobBytes(file.sha256)) !== file.bytes)
      throw new HandoffError("blob_missing", `Scene file ${file.sha256}.`);
  }
}

const slotTasks = (job: Job, digest: string): NewTask[] =>
  job.slots.map(({ id }) => ({
    taskId: slotTaskId(job.job_id, id),
    payload: canonicalBytes({
      schema: "render_handoff.slot_task.v1",
      job_sha256: digest,
      job_id: job.job_id,
      slot: id,
    }).toString("utf8"),
    jobId: job.job_id,
    slot: id,
    leaseSeconds: job.limits.lease_seconds,
    slotSeconds: job.limits.slot_seconds,
    maxClaims: job.limits.max_claims,
    distinct: job.policy.distinct_at_claim ? job.policy.distinct : null,
    bundleBytes: job.limits.bundle_bytes,
  }));
