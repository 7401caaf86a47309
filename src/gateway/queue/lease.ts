import { HandoffError } from "../../core/error.ts";
import type { HeldLease, TaskRow } from "./rows.ts";
import type { ReadRows } from "./store.ts";

/** Rule 2: valid only while now < lease_expires_at; at exactly that second it has ended. */
export const isLeased = (task: TaskRow, now: number): boolean =>
  task.state === "leased" && task.expiresAt !== null && now < task.expiresAt;

/** Rule 3: whether owner, fence and expiry are those of the task now. */
export const holds = (lease: HeldLease, task: TaskRow, now: number): boolean =>
  isLeased(task, now) && task.workerId === lease.workerId && task.fence === lease.fence;

export const staleLease = (lease: HeldLease): HandoffError =>
  new HandoffError("stale_or_invalid_lease", `Task ${lease.taskId}, fence ${lease.fence}.`);

/** The task, or task_unknown. */
export async function knownTask(rows: ReadRows, taskId: string): Promise<TaskRow> {
  const task = await rows.task(taskId);
  if (task === null) throw new HandoffError("task_unknown");
  return task;
}
