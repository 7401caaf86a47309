import type { TaskRecord } from "../../../contracts/documents/records.ts";
import { HandoffError } from "../../core/error.ts";
import { isLeased, knownTask } from "./lease.ts";
import type { Queue } from "./queue.ts";
import { taskRecord } from "./task-record.ts";

/** The record of a task. A worker (`reader`) sees a task that it holds or has a receipt of; null sees all. */
export async function readTask(queue: Queue, taskId: string, reader: string | null): Promise<TaskRecord> {
  return queue.store.read(async (rows) => {
    const task = await knownTask(rows, taskId);
    const now = await rows.now();
    const own = isLeased(task, now) && task.workerId === reader;
    if (reader !== null && !own && !(await rows.hasReceipt(taskId, reader)))
      throw new HandoffError("role_forbidden", "The task is not this worker's.");
    return taskRecord(task, now);
  });
}
