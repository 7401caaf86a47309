import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { SHA256_HEX } from "../../../../contracts/patterns.ts";
import { startSha256 } from "../../../core/digest.ts";
import { HandoffError } from "../../../core/error.ts";
import type { BlobName } from "../blob-store.ts";

/** One bucket and prefix. Every failure is GATEWAY_STORE_FAILED. */
export class Bucket {
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly prefix: string;

  constructor(client: S3Client, bucket: string, prefix: string) {
    this.client = client;
    this.bucket = bucket;
    this.prefix = prefix;
  }

  /** That the bucket is there and may be used. */
  async check(): Promise<void> {
    await this.client.send(new HeadBucketCommand({ Bucket: this.bucket })).catch(failed);
  }

  async hasSize({ sha256, bytes }: BlobName): Promise<boolean> {
    try {
      const { ContentLength } = await this.client.send(new HeadObjectCommand(this.at(sha256)));
      return ContentLength === bytes;
    } catch (thrown) {
      if (thrown instanceof S3ServiceException && thrown.$metadata.httpStatusCode === 404) return false;
      return failed(thrown);
    }
  }

  /** Objects whose key is the prefix and a digest beyond the one given; others are not ours. */
  async *list(beyond: string): AsyncGenerator<BlobName & { changedAt: number }> {
    const before = this.prefix === "" ? "" : `${this.prefix}/`;
    let after = beyond === "" ? undefined : `${before}${beyond}`;
    do {
      const where = {
        Bucket: this.bucket,
        Prefix: before,
        ...(after === undefined ? {} : { StartAfter: after }),
      };
      const page = await this.client.send(new ListObjectsV2Command(where)).catch(failed);
      for (const { Key = "", Size, LastModified } of page.Contents ?? []) {
        const sha256 = Key.slice(before.length);
        if (!SHA256_HEX.test(sha256) || Size === undefined || LastModified === undefined) continue;
        yield { sha256, bytes: Size, changedAt: Math.floor(LastModified.getTime() / 1_000) };
      }
      after = page.IsTruncated === true ? page.Contents?.at(-1)?.Key : undefined;
    } while (after !== undefined);
  }

  /** Whether the whole bytes are there; they are read and hashed, not asked for. */
  async holds({ sha256, bytes }: BlobName): Promise<boolean> {
    if (!(await this.hasSize({ sha256, bytes }))) return false;
    if (bytes === 0) return true;
    const hash = startSha256();
    try {
      for await (const chunk of await this.read(sha256, { first: 0, last: bytes - 1 })) hash.update(chunk);
    } catch (thrown) {
      return failed(thrown);
    }
    return hash.digest("hex") === sha256;
  }

  async put({ sha256, bytes }: BlobName, source: () => Readable): Promise<void> {
    const body = source();
    const command = new PutObjectCommand({
      ...this.at(sha256),
      Body: body,
      ContentLength: bytes,
      ContentType: "application/octet-stream",
    });
    command.middlewareStack.add(
      (next) => async (args) => {
        const { request } = args;
        // signed as the digest of the body: a server that checks signatures checks the bytes
        if (typeof request === "object" && request !== null && "headers" in request)
          Object.assign(Object(request.headers), { "x-amz-content-sha256": sha256 });
        return next(args);
      },
      { step: "build", name: "signDigest" },
    );
    try {
      await this.client.send(command).catch(failed);
    } finally {
      // a request that failed leaves its source open
      body.destroy();
    }
  }

  async read(sha256: string, { first, last }: { first: number; last: number }): Promise<Readable> {
    const range = { Range: `bytes=${first}-${last}` };
    const { Body } = await this.client
      .send(new GetObjectCommand({ ...this.at(sha256), ...range }))
      .catch(failed);
    return Body instanceof Readable ? Body : failed(new Error("no body"));
  }

  async remove(sha256: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.at(sha256))).catch(failed);
  }

  private at(sha256: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: this.prefix === "" ? sha256 : `${this.prefix}/${sha256}` };
  }
}

function failed(thrown: unknown): never {
  if (thrown instanceof HandoffError) throw thrown;
  const name = thrown instanceof Error ? thrown.name : "unknown";
  throw new HandoffError("GATEWAY_STORE_FAILED", `S3: ${name}.`, { cause: thrown });
}
