import { type FileHandle, open, rm } from "node:fs/promises";
import { startSha256 } from "../../../core/digest.ts";
import { HandoffError } from "../../../core/error.ts";
import { storeFailed } from "../../store-failed.ts";
import type { BlobName } from "../blob-store.ts";

/** Bytes after which the file is flushed while more arrive, so that the last flush is short. */
const SYNC_EVERY = 64 * 1024 * 1024;

export interface SpoolOptions {
  readonly name: BlobName;
  readonly temporary: string;
  /** Whether the file is to last: then it is flushed now and then on the way. */
  readonly lasting: boolean;
}

/** Writes the whole source to a file of its own while counting and hashing; on any fault the file is gone. */
export async function spoolBlob(source: AsyncIterable<Uint8Array>, options: SpoolOptions): Promise<void> {
  const { name, temporary, lasting } = options;
  try {
    const handle = await opened(temporary);
    let unsynced = 0;
    try {
      await receive(source, name, async (chunk) => {
        await written(handle, chunk);
        unsynced += chunk.byteLength;
        if (!lasting || unsynced < SYNC_EVERY) return;
        unsynced = 0;
        await handle.datasync().catch(rethrow);
      });
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    await forget(temporary);
    throw thrown;
  }
}

/** A fault of the source (a client that went away) passes as it is; only the disk's are the store's. */
async function receive(
  source: AsyncIterable<Uint8Array>,
  name: BlobName,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const hash = startSha256();
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > name.bytes) break;
    hash.update(chunk);
    await write(chunk);
  }
  if (bytes !== name.bytes) throw new HandoffError("blob_length_mismatch");
  if (hash.digest("hex") !== name.sha256) throw new HandoffError("blob_digest_mismatch");
}

/** As well as it goes: the next start removes whatever is staged, and the first fault is the one to tell. */
export const forget = (path: string): Promise<void> => rm(path, { force: true }).catch(() => {});

const rethrow = (thrown: unknown): never => {
  throw storeFailed(thrown);
};
const opened = (path: string): Promise<FileHandle> => open(path, "wx", 0o600).catch(rethrow);

async function written(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  let at = 0;
  while (at < chunk.byteLength) {
    const { bytesWritten } = await handle.write(chunk, at).catch(rethrow);
    at += bytesWritten;
  }
}
