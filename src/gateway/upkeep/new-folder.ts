import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { HandoffError, systemCode } from "../../core/error.ts";
import { makeFolder } from "../../core/files/make-folder.ts";
import { syncFolder } from "../../core/files/write-durable.ts";
import { storeFailed } from "../store-failed.ts";

/**
 * Fills a folder beside its final place and moves it there when it is whole and flushed; on any fault
 * nothing is left. An empty folder may stand at the place already: else USAGE_OUTPUT_EXISTS.
 */
export async function newFolder<T>(
  place: string,
  uuid: string,
  fill: (folder: string) => Promise<T>,
): Promise<T> {
  await needEmpty(place);
  const folder = `${place}.${uuid}.partial`;
  try {
    await makeFolder(folder);
    const value = await fill(folder);
    await syncFolders(folder);
    await rmdir(place).catch(absent);
    await rename(folder, place);
    await syncFolder(dirname(place));
    return value;
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    throw storeFailed(thrown);
  }
}

async function needEmpty(place: string): Promise<void> {
  const entries = await readdir(place).catch((thrown: unknown) => {
    if (systemCode(thrown) === "ENOENT") return [];
    throw new HandoffError("USAGE_OUTPUT_EXISTS", `${place}: ${systemCode(thrown) ?? "unknown"}.`);
  });
  if (entries.length > 0) throw new HandoffError("USAGE_OUTPUT_EXISTS", `${place} is not empty.`);
}

async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await syncFolder(`${entry.parentPath}/${entry.name}`);
  await syncFolder(folder);
}

const absent = (thrown: unknown): void => {
  if (systemCode(thrown) !== "ENOENT") throw thrown;
};
