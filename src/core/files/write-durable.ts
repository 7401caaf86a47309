import { randomInt } from "node:crypto";
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
 * A name beside a file for what is not whole yet, never the same twice: in a container every process has the same
 * id, and what a killed one left must not stand in the way of the next. Nobody else may remove it, for its writer
 * may be alive; whoever holds a folder for itself may (the gateway removes those in its data folder, render-child
 * its run folders as a whole).
 */
export const temporaryName = (path: string): string => `${path}.${randomInt(2 ** 47)}.partial`;

export interface FileMode {
  /** 0644 when not given. */
  readonly mode?: number;
  /** Whatever the umask. */
  readonly exactly?: boolean;
}

/**
 * Writes a whole file so that after a crash either the old or the new content is there: temporary name,
 * fsync, rename, fsync of the folder. Parts are written one after another. Rejects with the system's error and leaves no temporary file.
 */
export async function writeDurable(
  path: string,
  content: Uint8Array | string | readonly Uint8Array[],
  { mode = 0o644, exactly = false }: FileMode = {},
): Promise<void> {
  const temporary = temporaryName(path);
  const handle = await open(temporary, "wx", mode);
  try {
    try {
      if (exactly) await handle.chmod(mode);
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
