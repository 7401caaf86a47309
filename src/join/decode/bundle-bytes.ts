import { statSync } from "node:fs";
import { join } from "node:path";
import { SLOTS } from "../../../contracts/flow.ts";

/** Bytes of the bundles in evidence folders, as far as they can be seen: what is wrong there is found later. */
export const bundleBytes = (folders: readonly string[]): number =>
  folders
    .flatMap((folder) => SLOTS.map((slot) => join(folder, "slots", slot, "bundle.zip")))
    .reduce((sum, path) => sum + sizeOf(path), 0);

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0; // absent, a link to itself, behind a closed folder
  }
}
