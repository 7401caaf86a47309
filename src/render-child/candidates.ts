import type { TaskRecord } from "../../contracts/documents/records.ts";
import { HandoffError } from "../core/error.ts";
import type { GatewayClient } from "../gateway-client/client.ts";
import type { Jobs } from "../gateway-client/jobs.ts";
import { readSlotTask } from "./read-job.ts";

/** What is asked of a run: a part of its context. */
export interface Looking {
  readonly options: { readonly slot: "a" | "b"; readonly workerUuid: string };
  readonly client: Pick<GatewayClient, "listTasks" | "getTask">;
  readonly state: { readonly jobs: Jobs };
}

const PAGE_TASKS = 50;
/** A bound on one run's requests: each task that is looked at costs one for its job. */
const MOST_PAGES = 20;

/**
 * The tasks that a run may take, pages asked for as needed. Leases of a run that was killed come first: no other
 * worker can take them now. Then ready ones, oldest first, from where the last run had looked at as many as one
 * run may: tasks that this worker cannot take never hide those behind them for good.
 */
export async function* candidates(run: Looking): AsyncGenerator<TaskRecord> {
  yield* await ownLeases(run);
  const { slot } = run.options;
  const { jobs } = run.state;
  let cursor = jobs.lookedUpTo(slot);
  let fromBeginning = cursor === null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { tasks, cursor: next } = await pageBehind(run, cursor);
    yield* tasks;
    cursor = next;
    if (next !== null) continue;
    if (fromBeginning) break;
    fromBeginning = true;
  }
  jobs.setLookedUpTo(slot, cursor);
}

/** From the beginning where the gateway does not know that task any more. */
async function pageBehind({ client, options }: Looking, cursor: string | null) {
  const filter = { state: "ready", slot: options.slot, limit: PAGE_TASKS } as const;
  if (cursor === null) return (await client.listTasks(filter)).value;
  try {
    return (await client.listTasks({ ...filter, cursor })).value;
  } catch (thrown) {
    if (!(thrown instanceof HandoffError) || thrown.code !== "invalid_request_shape") throw thrown;
    return (await client.listTasks(filter)).value;
  }
}

async function ownLeases({ client, options, state }: Looking): Promise<TaskRecord[]> {
  const held: TaskRecord[] = [];
  for (const taskId of state.jobs.openClaims()) {
    try {
      const task = (await client.getTask(taskId)).value;
      const own = task.state === "leased" && task.worker_id === options.workerUuid;
      if (own && readSlotTask(task)?.slot === options.slot) held.push(task);
    } catch (thrown) {
      const code = thrown instanceof HandoffError ? thrown.code : null;
      if (code !== "role_forbidden" && code !== "task_unknown") throw thrown;
      state.jobs.setClaimKey(taskId, null); // not this worker's any more
    }
  }
  return held;
}
