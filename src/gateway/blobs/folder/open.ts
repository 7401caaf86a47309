import { rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../../core/files/make-folder.ts";
import { storeFailed } from "../../store-failed.ts";
import type { BlobReader, BlobStore } from "../blob-store.ts";
import { listBlobs } from "./list.ts";
import { readBlob } from "./read.ts";
import { removeBlob } from "./remove.ts";
import { isThere, stageBlob } from "./stage.ts";

/** Where the bytes of a digest lie, in 256 folders. */
export const blobPath = (root: string, sha256: string): string =>
  join(root, sha256.slice(0, 2), sha256.slice(2));

/** Blobs in a folder of one process; what an earlier process had staged and not committed is removed. */
export async function openFolderBlobs(root: string): Promise<BlobStore> {
  const staging = join(root, "staging");
  try {
    await rm(staging, { recursive: true, force: true });
    await makeFolder(staging);
  } catch (thrown) {
    throw storeFailed(thrown);
  }
  let staged = 0;
  return {
    ...readFolderBlobs(root),
    stage: (source, name) => {
      staged += 1;
      return stageBlob(source, {
        name,
        temporary: join(staging, `${name.sha256}.${staged}`),
        final: blobPath(root, name.sha256),
      });
    },
    remove: (sha256) => removeBlob(blobPath(root, sha256)),
  };
}

/** The same folder while another process may own it: nothing in it is touched. */
export const readFolderBlobs = (root: string): BlobReader => ({
  has: ({ sha256, bytes }) => isThere(blobPath(root, sha256), bytes),
  list: (after) => listBlobs(root, after),
  read: (sha256, range) => readBlob(blobPath(root, sha256), range),
  close: async () => {},
});
