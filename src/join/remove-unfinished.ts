import { rm } from "node:fs/promises";
import { systemCode } from "../core/error.ts";

/** Removes a folder that did not get its name. What hinders that is not what went wrong before it. */
export async function removeUnfinished(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (thrown) {
    if (systemCode(thrown) === undefined) throw thrown;
  }
}
