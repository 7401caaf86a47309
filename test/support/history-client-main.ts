import { canonicalBytes } from "../../src/core/json/canonical.ts";
import type { HistoryEvent } from "./history.ts";
import { type HistoryWorker, monotonic, recordCall, type Sent } from "./history-record.ts";
import { SCHEDULES, type Schedule } from "./history-schedules.ts";
import { seededRandom } from "./scale.ts";

/**
 * A client of a history as its own process: its argument is the plan as JSON. Plays at random, or the schedule
 * that is named, and prints one event a line.
 */
interface Plan {
  readonly url: string;
  readonly workers: readonly HistoryWorker[];
  readonly administrator: HistoryWorker;
  readonly tasks: readonly { readonly task: string; readonly result: unknown }[];
  readonly seed: number;
  readonly milliseconds: number;
  readonly schedule: Schedule | null;
}
interface Lease {
  readonly task: string;
  readonly fence: number;
}

const plan: Plan = JSON.parse(process.argv[2] ?? "{}");
const random = seededRandom(plan.seed);
const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
let made = 0;

async function call(worker: HistoryWorker, op: HistoryEvent["op"], sent: Sent): Promise<HistoryEvent> {
  const chance = random();
  const lose = chance < 0.08 ? "after" : chance < 0.12 ? "before" : null;
  const event = await recordCall({ url: plan.url, worker, op, lose }, sent);
  if (event.outcome === "unknown" && lose === null) await pause(50); // the gateway is down just now
  console.log(JSON.stringify(event));
  return event;
}

/** One worker: it also uses leases that it has lost, and keys that are spent. */
function player(worker: HistoryWorker) {
  const leases: Lease[] = [];
  const claimKeys: { task: string; key: string }[] = [];
  const submits: (Lease & Sent)[] = [];
  const held = (lease: Lease) => ({
    task_id: lease.task,
    worker_id: worker.workerUuid,
    fencing_token: lease.fence,
  });
  return {
    lease: (): Lease | undefined => (random() < 0.8 ? leases.at(-1) : pick(leases)),
    claim: async (): Promise<void> => {
      const old = random() < 0.3 ? pick(claimKeys) : undefined;
      const task = old?.task ?? pick(plan.tasks)?.task ?? "";
      const key = old?.key ?? newKey("c");
      claimKeys.push({ task, key });
      const body = canonicalBytes({ task_id: task, worker_id: worker.workerUuid });
      const event = await call(worker, "claim", { task, fence: null, key, body });
      if (event.fenceGiven !== null) leases.push({ task, fence: event.fenceGiven });
    },
    write: async (op: "heartbeat" | "release", lease: Lease): Promise<void> => {
      const more = op === "heartbeat" ? { progress: null } : { reason: "INTERRUPTED" };
      const body = canonicalBytes({ ...held(lease), ...more });
      await call(worker, op, { ...lease, key: null, body });
    },
    submit: async (lease: Lease): Promise<void> => {
      const result = plan.tasks.find(({ task }) => task === lease.task)?.result;
      const one = { ...lease, key: newKey("s"), body: canonicalBytes({ ...held(lease), result }) };
      submits.push(one);
      await call(worker, "submit", one);
    },
    again: async (): Promise<void> => {
      const old = pick(submits.slice(-4));
      if (old === undefined) return;
      const body = random() < 0.3 ? Buffer.concat([old.body, Buffer.from(" ")]) : old.body;
      await call(worker, "submit", { ...old, body });
    },
  };
}

const newKey = (kind: string): string => {
  made += 1;
  return `${kind}-${plan.seed}-${made}`;
};
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

async function play(worker: HistoryWorker, until: number): Promise<void> {
  const one = player(worker);
  while (monotonic() < until) {
    const chance = random();
    const lease = one.lease();
    if (chance < 0.3 || lease === undefined) await one.claim();
    else if (chance < 0.5) await one.write("heartbeat", lease);
    else if (chance < 0.58) await one.write("release", lease);
    else if (chance < 0.75) await one.submit(lease);
    else if (chance < 0.88) await one.again();
    else await pause(random() < 0.4 ? 1_000 + random() * 2_000 : random() * 150);
  }
}

if (plan.schedule === null) {
  const until = monotonic() + plan.milliseconds;
  await Promise.all(plan.workers.map((worker) => play(worker, until)));
} else {
  const [first, second] = plan.workers;
  if (first === undefined || second === undefined) throw new Error("a schedule needs two workers");
  const record = async (worker: HistoryWorker, op: HistoryEvent["op"], sent: Sent): Promise<HistoryEvent> => {
    const event = await recordCall({ url: plan.url, worker, op, lose: null }, sent);
    console.log(JSON.stringify(event));
    return event;
  };
  await SCHEDULES[plan.schedule]({
    first,
    second,
    administrator: plan.administrator,
    tasks: plan.tasks,
    record,
    pause,
  });
}
