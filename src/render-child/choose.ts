import type { TaskRecord } from "../../contracts/documents/records.ts";
import { HandoffError } from "../core/error.ts";
import { candidates } from "./candidates.ts";
import type { RunContext } from "./context.ts";
import { checkMachine, lookAtMachine, type Machine } from "./machine.ts";
import { readJob, readSlotTask } from "./read-job.ts";
import type { Ending } from "./report.ts";
import { claim, type Held } from "./steps/claim.ts";

export type Choice = { readonly held: Held } | { readonly ending: Ending };

const NOTHING: Ending = { outcome: "no_due_job", error: null, nextDue: null };

/**
 * Finds a task, checks its job and this machine, and claims it: the named job's slot, or the oldest of the
 * slot that this worker can take. A check that fails makes no claim. With several candidates the first that
 * works is taken; when none works, the first fault is thrown, or the earliest due time is the ending.
 */
export async function choose(run: RunContext): Promise<Choice> {
  const { options } = run;
  const tasks = options.jobId === null ? candidates(run) : await slotOf(run, options.jobId);
  const machine = once(() => lookAtMachine(options));
  const seen: Seen = { fault: null, due: null };
  for await (const task of tasks) {
    if (task.state === "done") return { ending: doneBy(task, options.workerUuid) };
    const held = await tryTask(run, { task, machine, seen });
    if (held !== null) return { held };
  }
  if (seen.due !== null)
    return { ending: { outcome: "deferred", error: seen.due.error, nextDue: seen.due.at } };
  if (seen.fault !== null) throw seen.fault;
  run.report.taskId = null;
  return { ending: NOTHING };
}

/** The slot of one job; throws job_unknown. */
async function slotOf(run: RunContext, jobId: string): Promise<TaskRecord[]> {
  const found = await run.client.listTasks({ job: jobId, slot: run.options.slot, limit: 1 });
  if (found.value.tasks.length === 0) await run.client.getJob(jobId);
  return found.value.tasks;
}

interface Seen {
  fault: HandoffError | null;
  due: { at: number; error: HandoffError } | null;
}

const doneBy = (task: TaskRecord, worker: string): Ending =>
  task.worker_id === worker ? { outcome: "completed", error: null, nextDue: null } : NOTHING;

/** The task's lease, or null with the reason noted. Throws what concerns more than this task. */
async function tryTask(
  run: RunContext,
  work: { task: TaskRecord; machine: () => Promise<Machine>; seen: Seen },
): Promise<Held | null> {
  const { options, state, client, report } = run;
  const { task, seen } = work;
  const payload = readSlotTask(task);
  if (payload === null) return null;
  report.taskId = task.task_id;
  const due = state.jobs.due(task.task_id);
  if (due !== null && due > options.clock.wallSeconds()) {
    noteDue(seen, { at: due, error: new HandoffError("already_leased") });
    return null;
  }
  try {
    const job = await readJob(client, payload);
    const thread = run.heartbeat();
    const machine = await work.machine();
    const plan = await checkMachine(options, machine, job);
    await thread.ready;
    return await claim(run, { taskId: task.task_id, task: payload, job, machine, plan });
  } catch (thrown) {
    if (!(thrown instanceof HandoffError) || !concernsTask(thrown)) throw thrown;
    if (thrown.code === "already_leased")
      noteDue(seen, {
        at: state.jobs.due(task.task_id) ?? options.clock.wallSeconds(),
        error: thrown,
      });
    else if (thrown.code !== "not_ready") seen.fault ??= thrown;
    return null;
  }
}

function noteDue(seen: Seen, due: { at: number; error: HandoffError }): void {
  if (seen.due === null || due.at < seen.due.at) seen.due = due;
}

/** Faults after which another task may still be taken: of the job, its pin or its lease. */
function concernsTask(error: HandoffError): boolean {
  if (error.wireCode !== undefined) return !error.code.startsWith("GATEWAY_") && !GENERAL.has(error.wireCode);
  return error.code.startsWith("CLAIM_") || error.code.startsWith("RENDER_");
}
const GENERAL = new Set<string>([
  "role_forbidden",
  "worker_revoked",
  "worker_identity_mismatch",
  "internal_error",
]);

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
