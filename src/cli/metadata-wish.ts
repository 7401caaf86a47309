import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { HandoffError } from "../core/error.ts";
import type { MetadataWish } from "../render-child/metadata.ts";
import type { MetadataFlags } from "./flags/metadata.ts";

/** Null without `--keep-metadata`. The folder is made before anything is rendered: that it cannot be is said now. */
export async function metadataWish(flags: MetadataFlags, stateFolder: string): Promise<MetadataWish | null> {
  if (flags.keepMetadata === undefined) return null;
  const folder = flags.metadataFolder ?? join(stateFolder, "metadata");
  await mkdir(folder, { recursive: true, mode: 0o700 })
    .then(() => access(folder, constants.W_OK))
    .catch((thrown: unknown) => {
      throw new HandoffError("USAGE_FOLDER_UNWRITABLE", folder, { cause: thrown });
    });
  return { keywords: flags.keepMetadata, folder, hostNames: [hostname()] };
}
