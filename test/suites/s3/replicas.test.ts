import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import type { TestGateway, TestWorker } from "../../support/gateway.ts";
import { BUNDLE, putSampleJob, sampleJob, sampleResult } from "../../support/gateway-job.ts";
import { type GatewayProcess, startGatewayProcess } from "../../support/gateway-process.ts";
import { schemaOf } from "../../support/postgres.ts";
import { postgresOfFile } from "../../support/postgres-of-file.ts";
import { type Swift, startSwift } from "../../support/swift.ts";
import { temporaryFolder } from "../../support/temporary.ts";

// Two gateway processes that share nothing but a PostgreSQL and a bucket.

const cluster = postgresOfFile();
let swift: Swift;
beforeAll(async () => {
  swift = await startSwift();
  Object.assign(process.env, swift.environment);
  const s3 = new S3Client({ forcePathStyle: true, requestChecksumCalculation: "WHEN_REQUIRED" });
  await s3.send(new CreateBucketCommand({ Bucket: "shared" }));
  s3.destroy();
});
afterAll(() => swift.stop());

async function two(): Promise<[GatewayProcess, GatewayProcess]> {
  const shared = {
    storeUrl: cluster().url(await schemaOf(cluster(), await temporaryFolder())),
    blobsUrl: "s3://shared/handoff",
  };
  const first = await startGatewayProcess(shared);
  return [first, await startGatewayProcess({ ...shared, adminToken: first.adminToken })];
}

const JOB = sampleJob();
const TASK = `${JOB.job_id}.a`;
const BLOB = `/q/blob/${sha256(BUNDLE)}`;
const claim = (gateway: TestGateway, { token, workerUuid }: TestWorker) =>
  gateway.call("/q/claim", { method: "POST", token, body: { task_id: TASK, worker_id: workerUuid } });
const upload = (gateway: TestGateway, { token }: TestWorker) =>
  gateway.call(BLOB, {
    method: "PUT",
    token,
    headers: { "task-id": TASK, "fencing-token": "1" },
    body: BUNDLE,
  });
const submit = (gateway: TestGateway, { token, workerUuid }: TestWorker) => {
  const held = { task_id: TASK, worker_id: workerUuid, fencing_token: 1 };
  const body = canonicalBytes({ ...held, result: sampleResult(JOB, "a") });
  return gateway.call("/q/submit", { method: "POST", token, headers: { "idempotency-key": "key-1" }, body });
};

test("a bundle that came in through one gateway is handed in through another, and read when the first is dead", async () => {
  const [first, second] = await two();
  await putSampleJob(first, JOB);
  const worker = await second.registerWorker();
  const checker = await first.registerChecker();
  expect((await claim(second, worker)).status).toBe(200);
  expect((await upload(first, worker)).status).toBe(201);
  expect((await upload(second, worker)).status).toBe(200);
  const accepted = await submit(second, worker);
  expect(accepted.status).toBe(200);
  await first.kill();
  expect((await second.call(BLOB, { token: checker.token })).bytes.equals(BUNDLE)).toBe(true);
  expect((await second.call(`/q/receipt/${TASK}`)).bytes.equals(accepted.bytes)).toBe(true);
  expect((await second.call(`/q/object/${TASK}`, { token: checker.token })).status).toBe(200);
});

test("a gateway that is killed after the upload leaves the bundle and the lease to the other one", async () => {
  const [first, second] = await two();
  await putSampleJob(first, JOB);
  const worker = await first.registerWorker();
  expect((await claim(first, worker)).status).toBe(200);
  expect((await upload(first, worker)).status).toBe(201);
  await first.kill();
  const accepted = await submit(second, worker);
  expect(accepted.status).toBe(200);
  const again = await submit(second, worker);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect(again.bytes.equals(accepted.bytes)).toBe(true);
  expect((await second.call(BLOB)).bytes.equals(BUNDLE)).toBe(true);
});
