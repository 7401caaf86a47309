import { createReadStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { S3Client } from "@aws-sdk/client-s3";
import { HandoffError } from "../../../core/error.ts";
import { storeFailed } from "../../store-failed.ts";
import type { BlobReader, BlobStore } from "../blob-store.ts";
import { spoolBlob } from "../folder/spool.ts";
import { Bucket } from "./bucket.ts";

/** What S3 takes in one PUT. */
export const S3_BLOB_BYTES = 5 * 1024 ** 3;

export interface S3Options {
  /** `s3://bucket/prefix`; endpoint, region and credentials as the AWS tools read them. */
  readonly url: string;
  /** Where bytes wait on this machine until they are whole and checked; emptied first. */
  readonly spoolFolder: string;
}

/**
 * Blobs in a bucket that several gateways share; the key is the digest. Bytes are received and checked on
 * this machine, sent with their digest in the signature, and read back before anything says that they are
 * there. No conditional request is needed: who writes a key at the same time writes the same bytes.
 */
export async function openS3Blobs({ url, spoolFolder }: S3Options): Promise<BlobStore> {
  const { bucket, ...reader } = await openBucket(url, async () => {
    await rm(spoolFolder, { recursive: true, force: true });
    await mkdir(spoolFolder, { recursive: true, mode: 0o700 });
  });
  let spooled = 0;
  return {
    ...reader,
    stage: async (source, name) => {
      spooled += 1;
      const file = join(spoolFolder, `${name.sha256}.${spooled}`);
      await spoolBlob(source, { name, temporary: file, lasting: false });
      return {
        commit: async () => {
          if (await bucket.holds(name)) return;
          await bucket.put(name, () => createReadStream(file));
          if (await bucket.holds(name)) return;
          await bucket.remove(name.sha256);
          throw new HandoffError("GATEWAY_STORE_FAILED", `S3 gave back other bytes for ${name.sha256}.`);
        },
        discard: () => rm(file, { force: true }).catch(() => {}),
      };
    },
    remove: (sha256) => bucket.remove(sha256),
  };
}

/** The same bucket to read from; needs no folder on this machine. */
export async function readS3Blobs(url: string): Promise<BlobReader> {
  const { bucket: _, ...reader } = await openBucket(url, async () => {});
  return reader;
}

async function openBucket(
  url: string,
  prepare: () => Promise<void>,
): Promise<BlobReader & { bucket: Bucket }> {
  const { hostname, pathname } = new URL(url);
  const client = new S3Client({
    forcePathStyle: true,
    // newer checksums come as trailers that older servers do not know; the digest is signed instead
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const bucket = new Bucket(client, hostname, pathname.replace(/^\/+|\/+$/g, ""));
  try {
    await prepare();
    await bucket.check();
  } catch (thrown) {
    client.destroy();
    throw storeFailed(thrown);
  }
  return {
    bucket,
    has: (name) => bucket.hasSize(name),
    list: (after) => bucket.list(after),
    read: async (sha256, range) =>
      range.last < range.first ? Readable.from([]) : bucket.read(sha256, range),
    close: async () => client.destroy(),
  };
}
