import { statSync } from "node:fs";
import { join } from "node:path";
import { SLOTS } from "../../../contracts/flow.ts";

/** Bytes of the bundles in evidence folders, as far as they are there. */
export const bundleBytes = (folders: readonly string[]): number =>
  folders
    .flatMap((folder) => SLOTS.map((slot) => join(folder, "slots", slot, "bundle.zip")))
    .reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
