import { sha256 } from "../../../src/core/digest.ts";
import type { GatewayOptions } from "../../../src/gateway/open.ts";
import { startGateway, type TestGateway, type TestWorker } from "../../support/gateway.ts";
import { BUNDLE, putSampleJob, sampleJob, winSlot } from "../../support/gateway-job.ts";
import { post } from "../gateway/route-calls.ts";

export const STRANGER = Buffer.from("bytes that nothing refers to");

export interface FullGateway {
  readonly gateway: TestGateway;
  readonly workers: readonly [TestWorker, TestWorker];
  readonly receipt: Buffer;
  readonly body: Buffer;
}

/** A gateway with a job, slot a handed in, slot b leased (fence 1), and a blob that nothing refers to. */
export async function fullGateway(options: Partial<GatewayOptions> = {}): Promise<FullGateway> {
  const gateway = await startGateway(options);
  const workers = [await gateway.registerWorker("one"), await gateway.registerWorker("two")] as const;
  const job = await putSampleJob(gateway, sampleJob());
  const { receipt, body } = await winSlot(gateway, workers[0], { job, slot: "a" });
  const slotB = { task_id: `${job.job_id}.b`, worker_id: workers[1].workerUuid };
  await post(gateway, "/q/claim", { token: workers[1].token, body: slotB });
  const put = await gateway.call(`/q/blob/${sha256(STRANGER)}`, { method: "PUT", body: STRANGER });
  if (put.status !== 201) throw new Error(`stranger: ${put.code}`);
  return { gateway, workers, receipt, body };
}

/** Hands the same body of slot a in again. */
export const handInAgain = ({ gateway, workers, body }: Omit<FullGateway, "receipt">) =>
  post(gateway, "/q/submit", { token: workers[0].token, body, headers: { "idempotency-key": "key-1" } });

export const BUNDLE_SHA256 = sha256(BUNDLE);
