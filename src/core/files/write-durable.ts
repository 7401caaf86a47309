import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes the entries of a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes a whole file so that after a crash either the old or the new content is there: temporary name,
 * fsync, rename, fsync of the folder. Rejects with the system's error and leaves no temporary file.
 */
export async function writeDurable(path: string, bytes: Uint8Array | string, mode = 0o644): Promise<void> {
  const temporary = `${path}.${process.pid}.partial`;
  try {
    const handle = await open(temporary, "wx", mode);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  }
}
