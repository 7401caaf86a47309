import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { FAULT_POINTS, type FaultPoint } from "../../../src/gateway/queue/queue.ts";
import { countCrashPoints } from "../../support/crash-points.ts";
import type { TestGateway, TestWorker } from "../../support/gateway.ts";
import { type GatewayProcess, startGatewayProcess } from "../../support/gateway-process.ts";

// Rule 7: a real gateway process ends itself with SIGKILL at the point; another one opens what is left.

const ended = countCrashPoints("SQLite");

const TASK = { task_id: "task", payload: { work: 1 }, lease_seconds: 600 };

const claimAs = (gateway: TestGateway, worker: TestWorker) =>
  gateway.call("/q/claim", {
    method: "POST",
    token: worker.token,
    headers: { "idempotency-key": "claim-1" },
    body: { task_id: "task", worker_id: worker.workerUuid },
  });
const submitAs = (gateway: TestGateway, worker: TestWorker) =>
  gateway.call("/q/submit", {
    method: "POST",
    token: worker.token,
    headers: { "idempotency-key": "key-1" },
    body: canonicalBytes({
      task_id: "task",
      worker_id: worker.workerUuid,
      fencing_token: 1,
      result: { answer: 42 },
    }),
  });

/** Enqueues before the crash, then lets the gateway end at the point; what the next process finds. */
async function crashed(
  point: FaultPoint,
): Promise<{ first: GatewayProcess; worker: TestWorker; next: () => Promise<GatewayProcess> }> {
  const first = await startGatewayProcess({ faultPoint: point });
  await first.call("/q/enqueue", { method: "POST", body: TASK });
  const worker = await first.registerWorker();
  return {
    first,
    worker,
    next: async () => {
      expect(await first.ended).toBe("SIGKILL");
      ended(point);
      expect(integrity(first.dataFolder)).toBe("ok");
      return startGatewayProcess({ dataFolder: first.dataFolder });
    },
  };
}

function integrity(dataFolder: string): unknown {
  const db = new DatabaseSync(join(dataFolder, "queue.sqlite"));
  try {
    return db.prepare("PRAGMA integrity_check").get()?.["integrity_check"];
  } finally {
    db.close();
  }
}

const claims = FAULT_POINTS.filter((point) => point.startsWith("claim_"));
test.each(claims)(
  "a claim cut off at %s is whole or not there, and its replay costs nothing",
  async (point) => {
    const { first, worker, next } = await crashed(point);
    await expect(claimAs(first, worker)).rejects.toThrow();
    const second = await next();
    const committed = point === "claim_after_commit";
    expect((await second.call("/q/task/task")).json()).toMatchObject({
      state: committed ? "leased" : "ready",
      fencing_token: committed ? 1 : 0,
      claims: committed ? 1 : 0,
    });
    const again = await claimAs(second, worker);
    expect(again.json()).toMatchObject({ fencing_token: 1, state: "leased" });
    expect(again.headers["idempotent-replayed"]).toBe(committed ? "true" : undefined);
  },
);

const submits = FAULT_POINTS.filter((point) => point.startsWith("submit_"));
test.each(submits)("a submit cut off at %s is whole or not there, and is accepted once", async (point) => {
  const { first, worker, next } = await crashed(point);
  expect((await claimAs(first, worker)).status).toBe(200);
  await expect(submitAs(first, worker)).rejects.toThrow();
  const second = await next();
  const committed = point === "submit_after_commit";
  expect((await second.call("/q/task/task")).json()).toMatchObject({ state: committed ? "done" : "leased" });
  const stored = await second.call("/q/receipt/task");
  expect(stored.code).toBe(committed ? "" : "receipt_unknown");
  const again = await submitAs(second, worker);
  expect(again.status).toBe(200);
  expect(again.headers["idempotent-replayed"]).toBe(committed ? "true" : undefined);
  if (committed) expect(again.bytes.equals(stored.bytes)).toBe(true);
  expect((await second.call("/q/receipt/task")).bytes.equals(again.bytes)).toBe(true);
});

test("a killed gateway frees its data folder, keeps its identity and its people", async () => {
  const first = await startGatewayProcess();
  const worker = await first.registerWorker();
  await first.kill();
  const second = await startGatewayProcess({ dataFolder: first.dataFolder });
  expect(second.gatewayId).toBe(first.gatewayId);
  expect(second.adminToken).toBe(first.adminToken);
  expect((await second.call("/q/tasks", { token: worker.token })).status).toBe(200);
});
