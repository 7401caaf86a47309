import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
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

  /** Whether the whole bytes are there; they are read and hashed, not asked for. */
  async holds({ sha256, bytes }: BlobName): Promise<boolean> {
    try {
      const { ContentLength } = await this.client.send(new HeadObjectCommand(this.at(sha256)));
      if (ContentLength !== bytes) return false;
    } catch (thrown) {
      if (thrown instanceof S3ServiceException && thrown.$metadata.httpStatusCode === 404) return false;
      return failed(thrown);
    }
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
    const command = new PutObjectCommand({
      ...this.at(sha256),
      Body: source(),
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
    await this.client.send(command).catch(failed);
  }

  async read(sha256: string, { first, last }: { first: number; last: number }): Promise<Readable> {
    const range = { Range: `bytes=${first}-${last}` };
    const { Body } = await this.client
      .send(new GetObjectCommand({ ...this.at(sha256), ...range }))
      .catch(failed);
    return Body instanceof Readable ? Body : failed(new Error("no body"));
  }

  async remove({ sha256 }: BlobName): Promise<void> {
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
