import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { startGateway, type TestGateway, type TestWorker } from "../../support/gateway.ts";
import type { Answered } from "../../support/gateway-call.ts";

export const post = (
  gateway: TestGateway,
  path: string,
  {
    token,
    body,
    headers = {},
  }: { token: string; body: unknown; headers?: Record<string, string | string[]> },
): Promise<Answered> => gateway.call(path, { method: "POST", token, body, headers });

export async function leased(
  options = {},
): Promise<{ gateway: TestGateway; worker: TestWorker; held: object }> {
  const gateway = await startGateway(options);
  const worker = await gateway.registerWorker("one", "ann");
  const task = { task_id: "task", payload: { work: 1 }, lease_seconds: 60 };
  expect((await post(gateway, "/q/enqueue", { token: gateway.adminToken, body: task })).status).toBe(201);
  const body = { task_id: "task", worker_id: worker.workerUuid };
  expect((await post(gateway, "/q/claim", { token: worker.token, body })).status).toBe(200);
  return { gateway, worker, held: { ...body, fencing_token: 1 } };
}

/** Another connection to the gateway's database, as no other process should have one. */
export function outside(gateway: TestGateway, sql: string): unknown[] {
  const db = new DatabaseSync(join(gateway.dataFolder, "queue.sqlite"), { timeout: 1_000 });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}
