import { mkdir, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { startSha256 } from "../../../core/digest.ts";
import { readBlocks } from "../../../core/files/read-blocks.ts";
import { syncFolder } from "../../../core/files/write-durable.ts";
import { storeFailed } from "../../store-failed.ts";
import type { BlobName, StagedBlob } from "../blob-store.ts";
import { forget, spoolBlob } from "./spool.ts";

export interface StageOptions {
  readonly name: BlobName;
  readonly temporary: string;
  readonly final: string;
}

/**
 * Streams to a temporary file; commit flushes it and moves it into place. What lies there already is read while
 * the bytes arrive: it counts, and is flushed, only where it is what its name says.
 */
export async function stageBlob(
  source: AsyncIterable<Uint8Array>,
  { name, temporary, final }: StageOptions,
): Promise<StagedBlob> {
  const lasting = !(await isThere(final, name.bytes));
  const intact = lasting ? Promise.resolve(false) : isIntact(final, name);
  await spoolBlob(source, { name, temporary, lasting });
  return {
    commit: async () => {
      const done = (await intact) ? settle(final) : moveIntoPlace(temporary, final);
      await done.catch((thrown: unknown) => {
        throw storeFailed(thrown);
      });
    },
    discard: () => forget(temporary),
  };
}

async function moveIntoPlace(temporary: string, final: string): Promise<void> {
  await syncFile(temporary);
  await mkdir(dirname(final), { recursive: true, mode: 0o700 });
  await rename(temporary, final);
  await syncNames(final);
}

/** Who moved the file here may have ended, or failed, before its name was on the disk. */
async function settle(final: string): Promise<void> {
  await syncFile(final);
  await syncNames(final);
}

/** The file's name in its folder, and the folder's among the others: another upload may just have made it. */
async function syncNames(final: string): Promise<void> {
  const folder = dirname(final);
  await syncFolder(folder);
  await syncFolder(dirname(folder));
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
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

/** A file that cannot be read is to be replaced like one with other bytes. */
async function isIntact(path: string, { sha256 }: BlobName): Promise<boolean> {
  const hash = startSha256();
  try {
    for await (const block of readBlocks(path)) hash.update(block);
  } catch {
    return false;
  }
  return hash.digest("hex") === sha256;
}
