import { join } from "node:path";
import { blobsFolder } from "../data-folder.ts";
import type { BlobReader, BlobStore } from "./blob-store.ts";
import { openFolderBlobs, readFolderBlobs } from "./folder/open.ts";

/** Cap of a blob that the administrator puts, where blobs are files. */
const FOLDER_BLOB_BYTES = 64 * 1024 ** 3;

export interface OpenedBlobs {
  readonly blobs: BlobStore;
  /** Bytes of a blob at most. */
  readonly most: number;
}

/** The blobs of a gateway: a folder of its data folder, or a bucket; S3's client is loaded only for that. */
export async function openBlobs(dataFolder: string, url: string | null): Promise<OpenedBlobs> {
  if (url === null) return { blobs: await openFolderBlobs(blobsFolder(dataFolder)), most: FOLDER_BLOB_BYTES };
  const { openS3Blobs, S3_BLOB_BYTES } = await import("./s3/open.ts");
  const blobs = await openS3Blobs({ url, spoolFolder: join(dataFolder, "spool") });
  return { blobs, most: S3_BLOB_BYTES };
}

/** The same blobs to read from, while a gateway may be using them. */
export async function readBlobs(dataFolder: string, url: string | null): Promise<BlobReader> {
  if (url === null) return readFolderBlobs(blobsFolder(dataFolder));
  const { readS3Blobs } = await import("./s3/open.ts");
  return readS3Blobs(url);
}
