import type { ReopenAnswer } from "../../../contracts/wire/queue.ts";
import { HandoffError } from "../../core/error.ts";
import { event } from "./event.ts";
import { knownTask } from "./lease.ts";
import type { Queue } from "./queue.ts";

/** Rule 9: a done task becomes ready again as version + 1; fence, receipts, bodies and objects stay. */
export async function reopen(queue: Queue, taskId: string, reason: string): Promise<ReopenAnswer> {
  return queue.store.write(async (rows) => {
    const task = await knownTask(rows, taskId);
    const at = await rows.now();
    if ((await rows.reopenTask(taskId, at, reason)) !== 1) throw new HandoffError("not_done");
    const version = task.version + 1;
    const detail = { version, reason };
    await rows.insertEvent(event({ at, kind: "reopened", taskId, jobId: task.jobId, detail }));
    return { task_id: taskId, state: "ready", version };
  });
}
