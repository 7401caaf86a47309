import { SlotTask } from "../../../contracts/documents/slot-task.ts";
import { HandoffError } from "../../core/error.ts";
import { canonicalText } from "../../core/json/canonical.ts";
import { event } from "./event.ts";
import type { Queue } from "./queue.ts";
import type { NewTask } from "./rows.ts";
import type { WriteRows } from "./store.ts";

export interface Enqueue {
  readonly taskId: string;
  readonly payload: unknown;
  readonly leaseSeconds: number;
}

/**
 * Rule 6: adds an opaque task; the same again is a no-op (false). Slot tasks come with their job only:
 * task_identity_conflict, or invalid_request_shape where no such task exists.
 */
export async function enqueue(queue: Queue, request: Enqueue): Promise<boolean> {
  const task: NewTask = {
    taskId: request.taskId,
    payload: canonicalText(request.payload),
    jobId: null,
    slot: null,
    leaseSeconds: request.leaseSeconds,
    slotSeconds: null,
    maxClaims: null,
    distinct: null,
    bundleBytes: null,
  };
  return queue.store.write(async (rows) => {
    if (!(await addTask(rows, task))) return false;
    if (SlotTask.safeParse(request.payload).success)
      throw new HandoffError("invalid_request_shape", "Slot tasks are made by putting their job.");
    return true;
  });
}

/** Inserts a task; false when the same is there already. */
export async function addTask(rows: WriteRows, task: NewTask): Promise<boolean> {
  const old = await rows.task(task.taskId);
  if (old === null) {
    await rows.insertTask(task);
    const { taskId, jobId } = task;
    await rows.insertEvent(event({ at: await rows.now(), kind: "enqueued", taskId, jobId, detail: {} }));
    return true;
  }
  if (old.payload !== task.payload || old.leaseSeconds !== task.leaseSeconds)
    throw new HandoffError("task_identity_conflict", `Task ${task.taskId}.`);
  return false;
}
