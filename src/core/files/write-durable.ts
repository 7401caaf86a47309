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
 * fsync, rename, fsync of the folder. Parts are written one after another. Rejects with the system's error and leaves no temporary file.
 */
export async function writeDurable(
  path: string,
  content: Uint8Array | string | readonly Uint8Array[],
  mode = 0o644,
): Promise<void> {
  const temporary = `${path}.${process.pid}.partial`;
  try {
    const handle = await open(temporary, "wx", mode);
    try {
      for (const part of Array.isArray(content) ? content : [content]) await handle.writeFile(part);
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
