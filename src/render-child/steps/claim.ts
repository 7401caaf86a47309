import type { Job } from "../../../contracts/documents/job.ts";
import type { SlotTask } from "../../../contracts/documents/slot-task.ts";
import type { ContainmentPlan } from "../../blender/containment/plan.ts";
import { timestamp } from "../../core/clock.ts";
import { HandoffError } from "../../core/error.ts";
import { startGrace } from "../../gateway-client/deadline.ts";
import type { RunContext } from "../context.ts";
import type { Machine } from "../machine.ts";
import { readSlotTask } from "../read-job.ts";

/** A slot that this run holds. */
export interface Held {
  readonly taskId: string;
  readonly task: SlotTask;
  readonly job: Job;
  readonly machine: Machine;
  readonly plan: ContainmentPlan;
  readonly fence: number;
  readonly version: number;
  readonly leaseSeconds: number;
  /** Monotonic milliseconds of the first byte that asked for the lease. */
  readonly askedMs: number;
}

/** A run that is told to end while it asks for a lease waits so long for the answer. */
const ANSWER_MS = 2_000;

export type Prepared = Pick<Held, "taskId" | "task" | "job" | "machine" | "plan">;

/**
 * Asks for the lease of a task whose job was checked. The key is stored before it is sent, so that a lost
 * answer, or a run that was killed, finds the same lease again. Throws the wire code of a refusal; an
 * already_leased sets the task's due time.
 */
export async function claim(run: RunContext, prepared: Prepared): Promise<Held> {
  const { state, options } = run;
  const { taskId } = prepared;
  const stored = state.jobs.claimKey(taskId);
  if (stored !== null) {
    try {
      return await claimWith(run, prepared, stored);
    } catch (thrown) {
      if (!(thrown instanceof HandoffError) || thrown.code !== "claim_key_spent") throw thrown;
    }
  }
  const key = options.clock.uuid();
  state.jobs.setClaimKey(taskId, key);
  return claimWith(run, prepared, key);
}

async function claimWith(run: RunContext, prepared: Prepared, key: string): Promise<Held> {
  const { state, options, client } = run;
  const { taskId, task } = prepared;
  const { signal, clock } = options;
  signal.throwIfAborted();
  // a lease that this run has not heard of would be given back by nobody, and held until it ends
  const grace = startGrace({ clock, milliseconds: ANSWER_MS, outer: signal });
  try {
    const asking = client.with({ signal: grace.signal });
    const answer = await asking.claim({ task_id: taskId, worker_id: options.workerUuid }, key);
    const lease = answer.value;
    const given = readSlotTask({ task_id: lease.task_id, payload: lease.payload });
    if (
      lease.worker_id !== options.workerUuid ||
      given?.job_sha256 !== task.job_sha256 ||
      given.slot !== task.slot
    )
      throw new HandoffError("GATEWAY_RESPONSE_INVALID", "The lease is not for what was asked.");
    state.jobs.setDue(taskId, null);
    state.jobs.record({ taskId, fence: lease.fencing_token, state: "claimed", reason: null });
    return {
      ...prepared,
      fence: lease.fencing_token,
      version: lease.version,
      leaseSeconds: lease.lease_seconds,
      askedMs: answer.firstSentMs,
    };
  } catch (thrown) {
    if (thrown instanceof HandoffError && thrown.wireCode !== undefined) refused(run, taskId, thrown);
    throw thrown;
  } finally {
    grace.stop();
  }
}

function refused(run: RunContext, taskId: string, error: HandoffError): void {
  const { state, options } = run;
  // a gateway that failed midway may have given the lease: only the same key finds it again
  if (error.code === "internal_error") return;
  state.jobs.setClaimKey(taskId, null);
  if (error.code !== "already_leased") return;
  const due = options.clock.wallSeconds() + (error.retryAfterSeconds ?? 5);
  state.jobs.setDue(taskId, due);
  options.logger.log("info", "already_leased", { step: "claim", task_id: taskId, detail: timestamp(due) });
}
