import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { syncFolder } from "./write-durable.ts";

/**
 * Makes a folder with its parents, so that it is there after a crash too: each new name is flushed in the folder
 * that holds it. Rejects with the system's error.
 */
export async function makeFolder(path: string, mode = 0o700): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode });
  if (first === undefined) return;
  const highest = resolve(first);
  for (let made = resolve(path); made.length >= highest.length; made = dirname(made))
    await syncFolder(dirname(made));
}
