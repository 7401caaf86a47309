import { sha256 } from "../../src/core/digest.ts";
import { canonicalBytes } from "../../src/core/json/canonical.ts";
import type { HistoryEvent } from "./history.ts";
import { historyCall } from "./history-call.ts";
import { seededRandom } from "./scale.ts";

/**
 * A client of a history as its own process: its argument is the plan as JSON. Plays at random
 * and prints one event a line.
 */
interface Plan {
  readonly url: string;
  readonly workers: readonly { readonly workerUuid: string; readonly token: string }[];
  readonly tasks: readonly { readonly task: string; readonly result: unknown }[];
  readonly seed: number;
  readonly milliseconds: number;
  /** Hands each submit in again at once, and holds slots as long as it is let. */
  readonly eager: boolean;
}
interface Lease {
  readonly task: string;
  readonly fence: number;
}
interface Sent {
  readonly task: string;
  readonly fence: number;
  readonly key: string;
  readonly body: Buffer;
}

const plan: Plan = JSON.parse(process.argv[2] ?? "{}");
const random = seededRandom(plan.seed);
const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
const monotonic = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;
let made = 0;

async function call(
  worker: Plan["workers"][number],
  op: HistoryEvent["op"],
  { task, fence, key, body }: { task: string; fence: number | null; key: string | null; body: Buffer },
): Promise<HistoryEvent> {
  const chance = random();
  const lose = chance < 0.08 ? "after" : chance < 0.12 ? "before" : null;
  const sent = monotonic();
  const sentSecond = Math.floor(Date.now() / 1_000);
  const answer = await historyCall({ url: `${plan.url}/q/${op}`, token: worker.token, body, key, lose });
  const json = answer === null || answer.text === "" ? {} : JSON.parse(answer.text);
  const outcome =
    answer === null || answer.status >= 500
      ? "unknown"
      : answer.status === 200
        ? "ok"
        : String(json.type ?? "").replace("urn:render-handoff:error:", "");
  const expires =
    outcome === "ok" && op !== "submit" && json.lease_expires_at !== undefined
      ? Date.parse(json.lease_expires_at) / 1_000
      : null;
  if (answer === null && lose === null) await pause(50); // the gateway is down just now
  const event: HistoryEvent = {
    ...{ op, task, worker: worker.workerUuid, fence, key, sent, ended: monotonic(), sentSecond, outcome },
    bodySha256: op === "submit" ? sha256(body) : null,
    replayed: answer?.replayed ?? false,
    fenceGiven: op === "claim" && outcome === "ok" ? Number(json.fencing_token) : null,
    version: op === "claim" && outcome === "ok" ? Number(json.version) : null,
    expires,
    receipt: op === "submit" && outcome === "ok" ? (answer?.text ?? null) : null,
  };
  console.log(JSON.stringify(event));
  return event;
}

/** One worker: it also uses leases that it has lost, and keys that are spent. */
function player(worker: Plan["workers"][number]) {
  const leases: Lease[] = [];
  const claimKeys: { task: string; key: string }[] = [];
  const submits: Sent[] = [];
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
      const one: Sent = { ...lease, key: newKey("s"), body: canonicalBytes({ ...held(lease), result }) };
      submits.push(one);
      await call(worker, "submit", one);
    },
    /** Heartbeats until the lease is lost. */
    keep: async (lease: Lease, until: number): Promise<void> => {
      for (let lost = false; !lost && monotonic() < until; ) {
        const body = canonicalBytes({ ...held(lease), progress: null });
        lost = (await call(worker, "heartbeat", { ...lease, key: null, body })).outcome !== "ok";
        await pause(700);
      }
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

async function play(worker: Plan["workers"][number], until: number): Promise<void> {
  const one = player(worker);
  while (monotonic() < until) {
    const chance = random();
    const lease = one.lease();
    if (chance < 0.3 || lease === undefined) await one.claim();
    else if (chance < 0.5) await one.write("heartbeat", lease);
    else if (chance < 0.58) await one.write("release", lease);
    else if (plan.eager && chance < 0.65) await one.keep(lease, until);
    else if (chance < 0.75) {
      await one.submit(lease);
      for (let more = 0; plan.eager && more < 3; more += 1) await one.again();
    } else if (chance < 0.88) await one.again();
    else await pause(random() < 0.4 ? 1_000 + random() * 2_000 : random() * 150);
  }
}

const until = monotonic() + plan.milliseconds;
await Promise.all(plan.workers.map((worker) => play(worker, until)));
