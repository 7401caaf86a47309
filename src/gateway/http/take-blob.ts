import type { BlobStore } from "../blobs/blob-store.ts";
import { beingRemoved } from "../queue/being-removed.ts";
import type { Queue } from "../queue/queue.ts";
import type { HeldLease } from "../queue/rows.ts";
import { type Blob, recordBlob, recordUpload, releaseUpload, reserveUpload } from "../queue/upload.ts";
import type { Uploads } from "./uploads.ts";

export interface Taking {
  readonly queue: Queue;
  readonly blobs: BlobStore;
  readonly uploads: Uploads;
}
export interface Upload {
  readonly blob: Blob;
  readonly source: AsyncIterable<Uint8Array>;
  /** Of a worker; null for the administrator, who needs none. */
  readonly lease: HeldLease | null;
}

/**
 * Room under the lease first, then the bytes, then their row: what a lease leaves on the disk is never more than
 * bundle_bytes. An upload that is refused leaves nothing, and gives its room back. True when the blob is new.
 */
export async function takeBlob(taking: Taking, upload: Upload): Promise<boolean> {
  const { queue, blobs, uploads } = taking;
  const { blob, source, lease } = upload;
  const end = uploads.begin(blob.sha256, lease);
  let committed = false;
  try {
    if (lease !== null) await reserveUpload(queue, lease, blob);
    const staged = await blobs.stage(source, blob);
    try {
      // again, so that bytes whose lease ended while they came leave nothing behind
      if (lease !== null) await reserveUpload(queue, lease, blob);
      committed = true;
      await staged.commit();
    } finally {
      await staged.discard();
    }
    const created = lease === null ? await recordBlob(queue, blob) : await recordUpload(queue, lease, blob);
    await needBytes(taking, upload);
    return created;
  } catch (thrown) {
    end();
    // the fault that is told is the first one; room whose bytes may still be there is not given back
    await takeBack(taking, upload, committed).catch(() => {});
    throw thrown;
  } finally {
    end();
  }
}

async function takeBack(
  { queue, blobs, uploads }: Taking,
  { blob, lease }: Upload,
  committed: boolean,
): Promise<void> {
  const { sha256 } = blob;
  const { store } = queue;
  // bytes without a row, as gc removes them; another upload of the same that is on its way is the one to decide
  if (committed && uploads.over(sha256)) {
    if (await store.write(async (rows) => rows.beginStrayRemoval(blob, await rows.now()))) {
      await blobs.remove(sha256);
      await store.write((rows) => rows.endRemoval(sha256));
    }
  }
  if (lease !== null) await releaseUpload(queue, lease, sha256);
}

/** Bytes that were there before may have been removed until the row was written: then they are to be sent again. */
async function needBytes({ queue, blobs }: Taking, { blob, lease }: Upload): Promise<void> {
  if (await blobs.has(blob)) return;
  await queue.store.write(async (rows) => {
    if (lease !== null) await rows.deleteUpload(lease, blob.sha256);
    if (await rows.beginRemoval(blob.sha256, await rows.now())) await rows.endRemoval(blob.sha256);
  });
  throw beingRemoved(blob.sha256);
}
