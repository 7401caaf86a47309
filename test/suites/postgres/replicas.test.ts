import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { FAULT_POINTS, type FaultPoint } from "../../../src/gateway/queue/queue.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { countCrashPoints } from "../../support/crash-points.ts";
import { gatewayHandle, startGateway, type TestGateway, type TestWorker } from "../../support/gateway.ts";
import { type GatewayProcess, startGatewayProcess } from "../../support/gateway-process.ts";
import { schemaOf } from "../../support/postgres.ts";
import { postgresOfFile } from "../../support/postgres-of-file.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const cluster = postgresOfFile();
const ended = countCrashPoints("PostgreSQL");
const database = async (): Promise<string> =>
  cluster().url(await schemaOf(cluster(), await temporaryFolder()));

const TASK = { task_id: "task", payload: { work: 1 }, lease_seconds: 600 };
const enqueue = (gateway: TestGateway, task_id: string) =>
  gateway.call("/q/enqueue", { method: "POST", body: { ...TASK, task_id } });
const claim = (gateway: TestGateway, worker: TestWorker, task: string) =>
  gateway.call("/q/claim", {
    method: "POST",
    token: worker.token,
    headers: { "idempotency-key": `claim.${task}` },
    body: { task_id: task, worker_id: worker.workerUuid },
  });
const submit = (gateway: TestGateway, worker: TestWorker, task: string) =>
  gateway.call("/q/submit", {
    method: "POST",
    token: worker.token,
    headers: { "idempotency-key": `key.${task}` },
    body: canonicalBytes({
      task_id: task,
      worker_id: worker.workerUuid,
      fencing_token: 1,
      result: { answer: 42 },
    }),
  });

/** Three processes that start at the same time on an empty database; the administrator's token is in one folder. */
async function three(): Promise<[GatewayProcess, GatewayProcess, GatewayProcess]> {
  const storeUrl = await database();
  const start = () => startGatewayProcess({ storeUrl, adminToken: "elsewhere" });
  return Promise.all([start(), start(), start()]);
}

describe("gateways on one PostgreSQL", () => {
  test("that start together are one: identity, administrator, leases, receipts, revocations; each task has one winner", async () => {
    const [first, ...others] = await three();
    expect(others.map((one) => one.gatewayId)).toEqual([first.gatewayId, first.gatewayId]);
    const makers = [first, ...others].filter((one) => existsSync(one.adminTokenFile));
    expect(makers).toHaveLength(1);
    const [one, two, third] = await Promise.all(
      [first, ...others].map((gateway) => withToken(gateway, makers[0] ?? first)),
    );
    if (one === undefined || two === undefined || third === undefined) return;

    const ids = Array.from({ length: 40 }, (_, n) => `task-${n}`);
    await Promise.all(ids.map((id, n) => enqueue(n % 2 === 0 ? one : two, id)));
    expect((await enqueue(third, "task-0")).status).toBe(200);
    const workers = await Promise.all([one, two, third].map((gateway) => gateway.registerWorker()));
    const at = (n: number): TestGateway => [one, two, third][n % 3] ?? one;
    const answers: Awaited<ReturnType<typeof claim>>[] = [];
    for (let n = 0; n < ids.length; n += 10) {
      const some = ids.slice(n, n + 10);
      // as many at once as a busy machine answers within a client's time
      const claims = workers.flatMap((worker, place) => some.map((id) => claim(at(place), worker, id)));
      answers.push(...(await Promise.all(claims)));
    }
    const won = answers.filter((answer) => answer.status === 200).map((answer) => answer.json());
    expect(won.map((answer) => answer["task_id"]).sort()).toEqual([...ids].sort());
    expect(won.every((answer) => answer["fencing_token"] === 1)).toBe(true);
    const lost = answers.filter((answer) => answer.status !== 200).map((answer) => answer.code);
    expect(new Set(lost)).toEqual(new Set(["already_leased"]));

    const [lease] = won;
    const worker = workers.find((candidate) => candidate.workerUuid === lease?.["worker_id"]);
    if (worker === undefined) return;
    const task = String(lease?.["task_id"]);
    const receipt = await submit(one, worker, task);
    const again = await submit(two, worker, task);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.bytes.equals(receipt.bytes)).toBe(true);
    await third.call(`/q/worker/${worker.workerUuid}/revoke`, { method: "POST" });
    expect((await claim(one, worker, "task-0")).code).toBe("worker_revoked");
  });

  test("do not take a data folder with another administrator's token", async () => {
    const other = await startGateway({ storeUrl: await database() });
    await other.close();
    const storeUrl = await database();
    await startGateway({ storeUrl });
    expect(await codeOfPromise(startGateway({ storeUrl, dataFolder: other.dataFolder }))).toBe(
      "USAGE_TOKEN_FILE",
    );
  });

  test.each(FAULT_POINTS)("that are killed at %s leave all or nothing to the others", async (point) => {
    const { survivor, worker, victim } = await killedAt(point);
    const isClaim = point.startsWith("claim_");
    const act = isClaim ? claim : submit;
    await expect(act(victim, worker, "task")).rejects.toThrow();
    expect(await victim.ended).toBe("SIGKILL");
    ended(point);
    const again = await act(survivor, worker, "task");
    expect(again).toMatchObject({ status: 200 });
    const committed = point.endsWith("_after_commit");
    expect(again.headers["idempotent-replayed"]).toBe(committed ? "true" : undefined);
    if (isClaim) expect(again.json()).toMatchObject({ fencing_token: 1, state: "leased" });
    else expect((await survivor.call("/q/receipt/task")).bytes.equals(again.bytes)).toBe(true);
  });
});

/** A gateway in this process beside one of its own process that will end itself at the point. */
async function killedAt(point: FaultPoint) {
  const storeUrl = await database();
  const survivor = await startGateway({ storeUrl });
  await enqueue(survivor, "task");
  const worker = await survivor.registerWorker();
  if (point.startsWith("submit_")) await claim(survivor, worker, "task");
  const { adminToken } = survivor;
  return { survivor, worker, victim: await startGatewayProcess({ storeUrl, adminToken, faultPoint: point }) };
}

const withToken = (gateway: GatewayProcess, maker: GatewayProcess): Promise<TestGateway> =>
  gatewayHandle({
    url: gateway.url,
    gatewayId: gateway.gatewayId,
    dataFolder: maker.dataFolder,
    close: gateway.close,
  });
