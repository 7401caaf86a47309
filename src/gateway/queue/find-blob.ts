import { HandoffError } from "../../core/error.ts";
import type { Queue } from "./queue.ts";

/** Bytes of a blob. A worker (`reader`) sees only the scene of a job whose task it holds: else blob_unknown. */
export async function findBlob(queue: Queue, sha256: string, reader: string | null): Promise<number> {
  return queue.store.read(async (rows) => {
    const bytes = await rows.blobBytes(sha256);
    const allowed = reader === null || (await rows.sceneOfHolder(sha256, reader, await rows.now()));
    if (bytes === null || !allowed) throw new HandoffError("blob_unknown");
    return bytes;
  });
}
