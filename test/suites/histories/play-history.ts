import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Limits, STANDARD_LIMITS } from "../../../contracts/documents/job.ts";
import { STANDARD_POLICY } from "../../../contracts/documents/policy.ts";
import { SLOTS } from "../../../contracts/flow.ts";
import { sha256 } from "../../../src/core/digest.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { BUNDLE, putSampleJob, sampleJob, sampleResult } from "../../support/gateway-job.ts";
import { type GatewayProcess, startGatewayProcess } from "../../support/gateway-process.ts";
import type { FinalTask, History, HistoryEvent } from "../../support/history.ts";
import { type HistoryWorker, recordCall } from "../../support/history-record.ts";
import { reopening } from "../../support/history-schedules.ts";

export interface HistoryPlan {
  readonly seed: number;
  readonly milliseconds: number;
  readonly clients: number;
  /** How often the gateway is killed and started again while the clients go on. */
  readonly kills: number;
  /** A store for the gateway; SQLite in its data folder where none is given. */
  readonly storeUrl?: string;
}

const PLAIN_LEASE = 2;
const SLOT = { lease_seconds: 2, slot_seconds: 4, max_claims: 1_000 };
const REOPEN_EVERY_MS = 60;

/** Client processes with two workers each play against a gateway process that is killed in the middle. */
export async function playHistory(plan: HistoryPlan): Promise<History> {
  const store = plan.storeUrl === undefined ? {} : { storeUrl: plan.storeUrl };
  let gateway = await startGatewayProcess(store);
  const port = Number(new URL(gateway.url).port);
  const tasks = await prepare(gateway, { plain: 2, leaseSeconds: PLAIN_LEASE, slot: SLOT });
  const clients = [];
  for (let index = 0; index < plan.clients; index += 1) {
    const workers = [await gateway.registerWorker(), await gateway.registerWorker()];
    const { milliseconds } = plan;
    clients.push(
      startClient({
        url: gateway.url,
        workers,
        administrator: administratorOf(gateway),
        tasks,
        seed: plan.seed + index,
        milliseconds,
        schedule: null,
      }),
    );
  }
  let over = false;
  const reopening = keepReopening(() => gateway, { tasks: tasks.map(({ task }) => task), over: () => over });
  for (let kill = 1; kill <= plan.kills; kill += 1) {
    await wait(plan.milliseconds / (plan.kills + 1));
    await gateway.kill();
    gateway = await startGatewayProcess({ ...store, port, dataFolder: gateway.dataFolder });
  }
  const events = (await Promise.all(clients)).flat();
  over = true;
  events.push(...(await reopening));
  const final = await Promise.all(tasks.map(({ task }) => finalTask(gateway, task, SLOT)));
  await gateway.close();
  return { events, final };
}

interface Prepared {
  readonly plain: number;
  readonly leaseSeconds: number;
  readonly slot: Pick<Limits, "lease_seconds" | "slot_seconds" | "max_claims">;
}

/** Plain tasks, and the two slots of a job; what to hand in for each. */
export async function prepare(
  gateway: TestGateway,
  { plain: count, leaseSeconds, slot }: Prepared,
): Promise<{ task: string; result: unknown }[]> {
  const plain = Array.from({ length: count }, (_, n) => `plain-${n + 1}`);
  for (const task_id of plain)
    await gateway.call("/q/enqueue", {
      method: "POST",
      body: { task_id, payload: { work: 1 }, lease_seconds: leaseSeconds },
    });
  const job = await putSampleJob(
    gateway,
    sampleJob({
      policy: { ...STANDARD_POLICY, distinct_at_claim: false },
      limits: { ...STANDARD_LIMITS, ...slot },
    }),
  );
  await gateway.call(`/q/blob/${sha256(BUNDLE)}`, { method: "PUT", body: BUNDLE });
  return [
    ...plain.map((task) => ({ task, result: { answer: task } })),
    ...SLOTS.map((name) => ({ task: `${job.job_id}.${name}`, result: sampleResult(job, name) })),
  ];
}

export async function startClient(plan: object): Promise<HistoryEvent[]> {
  const main = join(import.meta.dirname, "../../support/history-client-main.ts");
  const child = spawn(process.execPath, [main, JSON.stringify(plan)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const events: HistoryEvent[] = [];
  for await (const line of createInterface({ input: child.stdout })) events.push(JSON.parse(line));
  await closed;
  if (child.exitCode !== 0) throw new Error(`a client ended with ${child.exitCode}`);
  return events;
}

export const administratorOf = ({ adminToken }: TestGateway): HistoryWorker => ({
  workerUuid: "administrator",
  token: adminToken,
});

/** The administrator reopens what is done, so that versions follow each other. */
async function keepReopening(
  gateway: () => GatewayProcess,
  { tasks, over }: { tasks: readonly string[]; over: () => boolean },
): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  for (let turn = 0; !over(); turn += 1) {
    const { url } = gateway();
    const made = { url, worker: administratorOf(gateway()), op: "reopen", lose: null } as const;
    events.push(await recordCall(made, reopening(tasks[turn % tasks.length] ?? "")));
    await wait(REOPEN_EVERY_MS);
  }
  return events;
}

export async function finalTask(
  gateway: TestGateway,
  task: string,
  slot: Prepared["slot"],
): Promise<FinalTask> {
  const record = (await gateway.call(`/q/task/${task}`)).json();
  const version = Number(record["version"]);
  const receipts: (string | null)[] = [];
  for (let one = 1; one <= version; one += 1) {
    const answer = await gateway.call(`/q/receipt/${task}?version=${one}`);
    receipts.push(answer.status === 200 ? answer.bytes.toString("utf8") : null);
  }
  return {
    task,
    version,
    receipts,
    state: String(record["state"]),
    fence: Number(record["fencing_token"]),
    leaseSeconds: Number(record["lease_seconds"]),
    slotSeconds: task.startsWith("plain") ? null : slot.slot_seconds,
  };
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
