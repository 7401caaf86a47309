import { once } from "node:events";
import { createReadStream, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { expect, onTestFinished, test } from "vitest";
import { Bucket } from "../../../src/gateway/blobs/s3/bucket.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { temporaryFolder } from "../../support/temporary.ts";

test("a PUT that fails closes the file that it was sent from", async () => {
  const server = createServer((request) => request.socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
    forcePathStyle: true,
    maxAttempts: 1,
  });
  onTestFinished(() => client.destroy());
  const file = join(await temporaryFolder(), "blob");
  writeFileSync(file, Buffer.alloc(5_000_000));
  const source = createReadStream(file);
  const closed = once(source, "close");
  const put = new Bucket(client, "blobs", "").put({ sha256: "a".repeat(64), bytes: 5_000_000 }, () => source);
  expect(await codeOfPromise(put)).toBe("GATEWAY_STORE_FAILED");
  await closed;
});
