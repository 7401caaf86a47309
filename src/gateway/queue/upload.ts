import { STANDARD_LIMITS } from "../../../contracts/documents/job.ts";
import { HandoffError } from "../../core/error.ts";
import { event } from "./event.ts";
import { holds, knownTask, staleLease } from "./lease.ts";
import type { Queue } from "./queue.ts";
import type { HeldLease, TaskRow } from "./rows.ts";
import type { ReadRows } from "./store.ts";

export interface Blob {
  readonly sha256: string;
  readonly bytes: number;
}

/** Before a worker's bytes are taken: the lease, as for a heartbeat, and the job's bundle_bytes. */
export async function admitUpload(queue: Queue, lease: HeldLease, blob: Blob): Promise<void> {
  await queue.store.read((rows) => check(rows, lease, blob));
}

/**
 * After the bytes are durable: the blob's row, under the lease (rule 3). Uploads of one lease count
 * together against bundle_bytes. True when the blob is new.
 */
export async function recordUpload(queue: Queue, lease: HeldLease, blob: Blob): Promise<boolean> {
  return queue.store.write(async (rows) => {
    const { taskId, jobId } = await check(rows, lease, blob);
    const now = await rows.now();
    if ((await rows.insertUpload(lease, now, blob)) !== 1) throw staleLease(lease);
    const detail = { fencing_token: lease.fence, sha256: blob.sha256, bytes: blob.bytes };
    const told = { at: now, taskId, jobId, workerUuid: lease.workerId, detail };
    await rows.insertEvent(event({ ...told, kind: "blob_stored" }));
    return rows.insertBlob(blob, now);
  });
}

/** The row of a blob that the administrator put; true when it is new. */
export async function recordBlob(queue: Queue, blob: Blob): Promise<boolean> {
  return queue.store.write(async (rows) => rows.insertBlob(blob, await rows.now()));
}

async function check(rows: ReadRows, lease: HeldLease, blob: Blob): Promise<TaskRow> {
  const task = await knownTask(rows, lease.taskId);
  if (!holds(lease, task, await rows.now())) throw staleLease(lease);
  const cap = task.bundleBytes ?? STANDARD_LIMITS.bundle_bytes;
  if ((await rows.uploadedBytes(lease, blob.sha256)) + blob.bytes > cap)
    throw new HandoffError("blob_too_large", `At most ${cap} bytes under one lease.`);
  return task;
}
