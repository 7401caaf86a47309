import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode } from "../../../core/error.ts";
import { syncFolder } from "../../../core/files/write-durable.ts";
import { storeFailed } from "../../store-failed.ts";

/** Removes the bytes and makes that durable: a file that came back would be one that no row knows. */
export async function removeBlob(path: string): Promise<void> {
  try {
    await rm(path);
    await syncFolder(dirname(path));
  } catch (thrown) {
    if (systemCode(thrown) !== "ENOENT") throw storeFailed(thrown);
  }
}
