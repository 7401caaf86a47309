import { readdirSync } from "node:fs";
import { createServer, request as forward, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/digest.ts";
import type { GatewayOptions } from "../../../src/gateway/open.ts";
import { checkGateway } from "../../../src/gateway/upkeep/check.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { BUNDLE, putSampleJob } from "../../support/gateway-job.ts";
import { type Swift, startSwift } from "../../support/swift.ts";
import { DATA, path, put, upload } from "../gateway/blob-calls.ts";
import { outside } from "../gateway/route-calls.ts";

/** Swift brings a listing up to date a moment later when the machine is busy. */
const SETTLED = { timeout: 20_000 };

let swift: Swift;
let s3: S3Client;
beforeAll(async () => {
  swift = await startSwift();
  Object.assign(process.env, swift.environment);
  s3 = new S3Client({ forcePathStyle: true, requestChecksumCalculation: "WHEN_REQUIRED" });
  await s3.send(new CreateBucketCommand({ Bucket: "blobs" }));
});
afterAll(async () => {
  s3.destroy();
  await swift.stop();
});

let prefixes = 0;
async function onBucket(
  options: Partial<GatewayOptions> = {},
): Promise<{ gateway: TestGateway; prefix: string; keys: () => Promise<string[]> }> {
  prefixes += 1;
  const prefix = `shot-${prefixes}/x`;
  const gateway = await startGateway({ blobsUrl: `s3://blobs/${prefix}`, ...options });
  const keys = async (): Promise<string[]> => {
    const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket: "blobs", Prefix: prefix }));
    return (Contents ?? []).map(({ Key }) => String(Key));
  };
  return { gateway, prefix, keys };
}
/** The server behind a proxy that `isGone` may hold up, and that answers 404 where it says so. */
async function behind(isGone: (request: IncomingMessage) => Promise<boolean>): Promise<void> {
  const server = createServer(async (request, response) => {
    if (await isGone(request)) return void response.writeHead(404).end();
    const { method = "GET", headers, url } = request;
    const target = `${swift.environment["AWS_ENDPOINT_URL_S3"]}${url}`;
    const onward = forward(target, { method, headers, agent: false }, (answer) =>
      answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers)),
    );
    // Swift sends the end of chunks behind the answer to a HEAD
    onward.on("error", () => response.headersSent || response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.env["AWS_ENDPOINT_URL_S3"] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    Object.assign(process.env, swift.environment);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
}
const spooled = (gateway: TestGateway): string[] => readdirSync(join(gateway.dataFolder, "spool"));

describe("blobs in a real S3-compatible server (OpenStack Swift)", () => {
  test("are removed by gc where nothing refers to them, and looked at by check", async () => {
    const { gateway, prefix, keys } = await onBucket();
    const stray = sha256("a stray");
    await put(gateway, DATA);
    await s3.send(new PutObjectCommand({ Bucket: "blobs", Key: `${prefix}/${stray}`, Body: "a stray" }));
    const look = { dataFolder: gateway.dataFolder, storeUrl: null, quick: false, clock: systemClock };
    const check = () => checkGateway({ ...look, blobsUrl: `s3://blobs/${prefix}` });
    expect(await check()).toMatchObject({ ok: true, checked: { blobs: 1, blob_bytes: DATA.byteLength } });
    await s3.send(new PutObjectCommand({ Bucket: "blobs", Key: `${prefix}/${sha256(DATA)}`, Body: "x" }));
    expect((await check()).findings.map(({ code }) => code)).toEqual(["CHECK_BLOB_MISSING"]);
    const body = { older_than_seconds: 0, dry_run: false, cursor: null };
    const gone = await gateway.call("/q/gc", { method: "POST", body });
    // the stray is younger than an hour
    expect(gone.json()).toMatchObject({ blobs: 1, strays: 0, cursor: null });
    await expect.poll(keys, SETTLED).toEqual([`${prefix}/${stray}`]);
  });

  test("are stored under their digest, read whole and in ranges, and leave nothing on this machine", async () => {
    const { gateway, prefix, keys } = await onBucket();
    expect((await put(gateway, DATA)).status).toBe(201);
    expect((await put(gateway, DATA)).status).toBe(200);
    await expect.poll(keys, SETTLED).toEqual([`${prefix}/${sha256(DATA)}`]);
    expect((await gateway.call(path(DATA))).bytes).toEqual(DATA);
    const part = await gateway.call(path(DATA), { headers: { range: "bytes=2-4" } });
    expect([part.status, part.bytes.toString()]).toEqual([206, "234"]);
    expect(spooled(gateway)).toEqual([]);
  });

  test("of no bytes, and of several megabytes from four writers at once, are whole", async () => {
    const { gateway, keys } = await onBucket();
    const [nothing, large] = [Buffer.alloc(0), Buffer.alloc(5_000_000, 9)];
    expect((await put(gateway, nothing)).status).toBe(201);
    const answers = await Promise.all([1, 2, 3, 4].map(() => put(gateway, large)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 201]);
    expect((await gateway.call(path(nothing))).bytes).toEqual(nothing);
    expect((await gateway.call(path(large))).bytes.equals(large)).toBe(true);
    await expect.poll(keys, SETTLED).toHaveLength(2);
  });

  test("of another digest or length never reach the bucket", async () => {
    const { gateway, keys } = await onBucket();
    const wrong = await gateway.call(path(DATA), { method: "PUT", body: Buffer.from("0123456780") });
    expect(wrong.code).toBe("blob_digest_mismatch");
    await expect.poll(keys, SETTLED).toEqual([]);
    expect(spooled(gateway)).toEqual([]);
  });

  test("that take longer to read back than a connection may be silent are stored all the same", async () => {
    await behind(async ({ method }) => {
      if (method === "GET") await systemClock.sleep(2_500);
      return false;
    });
    const { gateway } = await onBucket({ timeouts: { idleMs: 1_000 } });
    expect((await put(gateway, DATA)).status).toBe(201);
  });

  test("that are gone once a worker's upload is on record leave no record, and can come again", async () => {
    const digest = sha256(BUNDLE);
    let heads = 0;
    // the third look is the one after the row was written
    await behind(
      async ({ method, url }) => method === "HEAD" && url?.includes(digest) === true && ++heads === 3,
    );
    const { gateway } = await onBucket();
    const worker = await gateway.registerWorker();
    await putSampleJob(gateway);
    const body = { task_id: "shot-1.a", worker_id: worker.workerUuid };
    await gateway.call("/q/claim", { method: "POST", token: worker.token, body });
    expect(await upload(gateway, worker, { fence: "1" })).toMatchObject({ status: 503, code: "unavailable" });
    const left = outside(gateway, `SELECT sha256 FROM blobs WHERE sha256 = '${digest}'`);
    expect([left, outside(gateway, "SELECT sha256 FROM uploads")]).toEqual([[], []]);
    expect((await upload(gateway, worker, { fence: "1" })).status).toBe(201);
  });

  test("that lie damaged under their key are replaced by the next writer", async () => {
    const { gateway, prefix } = await onBucket();
    const Key = `${prefix}/${sha256(DATA)}`;
    await s3.send(new PutObjectCommand({ Bucket: "blobs", Key, Body: "9876543210" }));
    expect((await put(gateway, DATA)).status).toBe(201);
    expect((await gateway.call(path(DATA))).bytes).toEqual(DATA);
  });

  test("that were taken away from the bucket are unavailable, not half an answer", async () => {
    const { gateway, prefix } = await onBucket();
    await put(gateway, DATA);
    await s3.send(new DeleteObjectCommand({ Bucket: "blobs", Key: `${prefix}/${sha256(DATA)}` }));
    expect(await gateway.call(path(DATA))).toMatchObject({ status: 503, code: "unavailable" });
  });

  test("in a bucket that is not there, or with a wrong key, are refused at the start", async () => {
    expect(await codeOfPromise(startGateway({ blobsUrl: "s3://nowhere/x" }))).toBe("GATEWAY_STORE_FAILED");
    process.env["AWS_SECRET_ACCESS_KEY"] = "wrong";
    try {
      expect(await codeOfPromise(startGateway({ blobsUrl: "s3://blobs/x" }))).toBe("GATEWAY_STORE_FAILED");
    } finally {
      Object.assign(process.env, swift.environment);
    }
  });
});
