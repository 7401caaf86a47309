import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { startSha256 } from "../../../core/digest.ts";
import { HandoffError } from "../../../core/error.ts";
import { syncFolder } from "../../../core/files/write-durable.ts";
import { storeFailed } from "../../store-failed.ts";
import type { BlobName, StagedBlob } from "../blob-store.ts";

export interface StageOptions {
  readonly name: BlobName;
  readonly temporary: string;
  readonly final: string;
}

/** Bytes after which the file is synced while more arrive, so that the last sync is short. */
const SYNC_EVERY = 64 * 1024 * 1024;

/** Streams to a temporary file while counting and hashing; compares; fsyncs. Commit renames. */
export async function stageBlob(
  source: AsyncIterable<Uint8Array>,
  options: StageOptions,
): Promise<StagedBlob> {
  const { temporary, final, name } = options;
  if (await isThere(final, name.bytes)) {
    await receive(source, name, async () => {});
    return { commit: async () => {}, discard: async () => {} };
  }
  await spoolBlob(source, { name, temporary, durable: true });
  return {
    commit: () => moveIntoPlace(temporary, final),
    discard: () => forget(temporary),
  };
}

/** Writes the whole source to a file of its own, flushed where it is to last; on any fault the file is gone. */
export async function spoolBlob(
  source: AsyncIterable<Uint8Array>,
  { name, temporary, durable }: { name: BlobName; temporary: string; durable: boolean },
): Promise<void> {
  try {
    const handle = await opened(temporary);
    let unsynced = 0;
    try {
      await receive(source, name, async (chunk) => {
        await written(handle, chunk);
        unsynced += chunk.byteLength;
        if (!durable || unsynced < SYNC_EVERY) return;
        unsynced = 0;
        await handle.datasync().catch(rethrow);
      });
      if (durable) await handle.sync().catch(rethrow);
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

async function moveIntoPlace(temporary: string, final: string): Promise<void> {
  const folder = dirname(final);
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    await rename(temporary, final);
    await syncFolder(folder);
    if (made !== undefined) await syncFolder(dirname(folder));
  } catch (thrown) {
    throw storeFailed(thrown);
  }
}

export async function isThere(path: string, bytes: number): Promise<boolean> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size === bytes;
  } catch {
    return false;
  }
}

/** As well as it goes: the next start removes whatever is staged, and the first fault is the one to tell. */
const forget = (path: string): Promise<void> => rm(path, { force: true }).catch(() => {});

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
