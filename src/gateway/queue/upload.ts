import { STANDARD_LIMITS } from "../../../contracts/documents/job.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import { HandoffError } from "../../core/error.ts";
import { event } from "./event.ts";
import { holds, knownTask, staleLease } from "./lease.ts";
import type { Queue } from "./queue.ts";
import type { HeldLease, TaskRow } from "./rows.ts";
import type { WriteRows } from "./store.ts";

export interface Blob {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Before a worker's bytes are taken, and again before they count: the lease, as for a heartbeat, and room for them
 * under the job's bundle_bytes, which they have from then on, whatever becomes of this process.
 */
export async function reserveUpload(queue: Queue, lease: HeldLease, blob: Blob): Promise<void> {
  await queue.store.write((rows) => reserve(rows, lease, blob));
}

/** Gives the room of an upload back that was refused; what is stored under its digest keeps it. */
export async function releaseUpload(queue: Queue, lease: HeldLease, sha256: string): Promise<void> {
  await queue.store.write(async (rows) => {
    // locked: whoever records the same upload is before this, or after it
    await rows.task(lease.taskId);
    if (!(await rows.blobListed(sha256))) await rows.deleteUpload(lease, sha256);
  });
}

/**
 * After the bytes are durable: the blob's row, under the lease (rule 3). True when the blob is new.
 */
export async function recordUpload(queue: Queue, lease: HeldLease, blob: Blob): Promise<boolean> {
  return queue.store.write(async (rows) => {
    const { taskId, jobId } = await reserve(rows, lease, blob);
    const now = await rows.now();
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

async function reserve(rows: WriteRows, lease: HeldLease, blob: Blob): Promise<TaskRow> {
  const task = await knownTask(rows, lease.taskId);
  const now = await rows.now();
  if (!holds(lease, task, now)) throw staleLease(lease);
  const cap = task.bundleBytes ?? STANDARD_LIMITS.bundle_bytes;
  // LEASE-07; one blob as large as the cap always fits, however small that is
  const room = Math.max(blob.bytes, Math.min(LIMITS.blobRoomBytes, cap));
  if ((await rows.uploadedBytes(lease, blob.sha256)) + room > cap)
    throw new HandoffError("blob_too_large", `At most ${cap} bytes under one lease.`);
  if ((await rows.insertUpload(lease, now, { sha256: blob.sha256, bytes: room })) !== 1)
    throw staleLease(lease);
  return task;
}
