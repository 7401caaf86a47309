import type { ClaimAnswer } from "../../../contracts/wire/queue.ts";
import { timestamp } from "../../core/clock.ts";
import { HandoffError } from "../../core/error.ts";
import { event } from "./event.ts";
import { holds, isLeased } from "./lease.ts";
import { parseStored } from "./payload.ts";
import { type Queue, reach } from "./queue.ts";
import type { HeldLease, NewEvent, TaskRow, WorkerRow } from "./rows.ts";
import type { ReadRows, WriteRows } from "./store.ts";

export interface Claim {
  readonly taskId: string;
  readonly workerId: string;
  readonly idempotencyKey: string | null;
}
export interface Claimed {
  readonly answer: ClaimAnswer;
  /** The stored lease of an earlier claim with this key. */
  readonly replayed: boolean;
  /** The task was taken over from a lease that had ended. */
  readonly afterExpiry: boolean;
}

/**
 * Rule 1: takes a task in one write transaction: fence + 1, owner, expiry. Refuses with task_unknown,
 * claim_key_spent, not_ready, already_leased (with the remaining seconds), attempts_exhausted,
 * worker_not_distinct, worker_passed_over, worker_revoked.
 */
export async function claim(queue: Queue, request: Claim): Promise<Claimed> {
  const claimed = await queue.store.write(async (rows) => {
    const { taskId, workerId, idempotencyKey } = request;
    const { task, now, worker, claimFence } = await rows.forClaim(taskId, workerId, idempotencyKey);
    if (task === null) throw new HandoffError("task_unknown");
    if (claimFence !== null) return replay({ ...request, fence: claimFence }, { task, now });
    await refuse(rows, request, { task, now, worker });
    const fence = task.fence + 1;
    const seconds = Math.min(task.leaseSeconds, task.slotSeconds ?? task.leaseSeconds);
    const lease = { taskId, workerId, fence };
    if (task.state === "leased") await rows.insertEvent(tellExpiry(task, now));
    const told = tellClaim(task, { ...lease, now });
    const taken = rows.takeTask({ ...lease, now, expiresAt: now + seconds }, idempotencyKey, told);
    rows.conclude([taken], () => new HandoffError("already_leased", undefined, { retryAfterSeconds: 1 }));
    await reach(queue, "claim_after_update", taken);
    const answer = leaseAnswer({ ...task, fence, workerId, expiresAt: now + seconds }, now);
    await reach(queue, "claim_before_commit", taken);
    return { answer, replayed: false, afterExpiry: task.state === "leased" };
  });
  if (!claimed.replayed) queue.faultPoint?.("claim_after_commit");
  return claimed;
}

interface Moment {
  readonly task: TaskRow;
  readonly now: number;
}

/** The lease that this claim ends. */
const tellExpiry = ({ taskId, jobId, workerId, fence }: TaskRow, now: number): NewEvent =>
  event({
    at: now,
    kind: "lease_expired",
    taskId,
    jobId,
    workerUuid: workerId,
    detail: { fencing_token: fence },
  });

const tellClaim = (task: TaskRow, { workerId, fence, now }: HeldLease & { now: number }): NewEvent =>
  event({
    at: now,
    kind: "claimed",
    taskId: task.taskId,
    jobId: task.jobId,
    workerUuid: workerId,
    detail: { fencing_token: fence, version: task.version },
  });

/** A repeated key gives the stored lease with its current expiry while it lives; after that it is spent. */
function replay(lease: HeldLease, { task, now }: Moment): Claimed {
  if (!holds(lease, task, now)) throw new HandoffError("claim_key_spent");
  return { answer: leaseAnswer(task, now), replayed: true, afterExpiry: false };
}

async function refuse(
  rows: WriteRows,
  request: Claim,
  { task, now, worker }: Moment & { worker: WorkerRow | null },
): Promise<void> {
  // a revocation may have been committed after the token was checked (rule 10)
  if (worker !== null && worker.revokedAt !== null) throw new HandoffError("worker_revoked");
  if (task.state === "done") throw new HandoffError("not_ready");
  if (isLeased(task, now))
    throw new HandoffError("already_leased", undefined, {
      retryAfterSeconds: Math.max(1, (task.expiresAt ?? now) - now),
    });
  if (task.maxClaims !== null && task.claims >= task.maxClaims) throw new HandoffError("attempts_exhausted");
  if (task.slot === null) return;
  const [sibling, passed] = await Promise.all([ownerOfSibling(rows, task, now), rows.passedOver(task)]);
  if (task.distinct !== null && sibling !== null) {
    if (sibling.workerUuid === request.workerId) throw new HandoffError("worker_not_distinct");
    if (task.distinct === "operator" && sameOperator(sibling, worker))
      throw new HandoffError("worker_not_distinct", "Both workers have the same operator.");
  }
  if (passed.includes(request.workerId) && (await anotherIsLeft(rows, task, { passed, sibling })))
    throw new HandoffError("worker_passed_over");
}

interface Person {
  readonly workerUuid: string;
  readonly operator: string | null;
}

const sameOperator = (one: Person, other: Person | null): boolean =>
  one.operator !== null && one.operator === other?.operator;

/** Holder or winner of the other slot. */
async function ownerOfSibling(rows: ReadRows, task: TaskRow, now: number): Promise<Person | null> {
  const sibling = await rows.sibling(task);
  if (sibling === null || sibling.workerId === null) return null;
  if (sibling.state !== "done" && !isLeased(sibling, now)) return null;
  const workerUuid = sibling.workerId;
  const operator = task.distinct === "operator" ? (await rows.worker(workerUuid))?.operator : null;
  return { workerUuid, operator: operator ?? null };
}

/**
 * Whether any unrevoked worker is left that was neither passed over nor has the sibling, nor is of the
 * sibling's operator where operators must differ: one that would be refused can take the slot from nobody.
 */
async function anotherIsLeft(
  rows: ReadRows,
  { distinct }: TaskRow,
  { passed, sibling }: { passed: readonly string[]; sibling: Person | null },
): Promise<boolean> {
  const workers = await rows.workers();
  return workers.some(
    (worker) =>
      worker.revokedAt === null &&
      worker.workerUuid !== sibling?.workerUuid &&
      !(distinct === "operator" && sibling !== null && sameOperator(sibling, worker)) &&
      !passed.includes(worker.workerUuid),
  );
}

/** `lease_seconds` is what remains, so that a worker that adds it to its own clock is never late. */
function leaseAnswer(task: TaskRow, now: number): ClaimAnswer {
  const expiresAt = task.expiresAt ?? now;
  return {
    task_id: task.taskId,
    worker_id: task.workerId ?? "",
    fencing_token: task.fence,
    lease_expires_at: timestamp(expiresAt),
    lease_seconds: expiresAt - now,
    state: "leased",
    version: task.version,
    payload: parseStored(task.payload),
  };
}
