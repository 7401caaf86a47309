import type { ReopenAnswer } from "../../../contracts/wire/queue.ts";
import { HandoffError } from "../../core/error.ts";
import { event } from "./event.ts";
import { knownTask } from "./lease.ts";
import type { Queue } from "./queue.ts";
import type { TaskRow } from "./rows.ts";
import type { WriteRows } from "./store.ts";

/**
 * Rule 9: a done task, or one that nobody may claim any more, becomes ready as version + 1, with all its
 * claims before it; fence, receipts, bodies and objects stay. Everything else is not_done.
 */
export async function reopen(queue: Queue, taskId: string, reason: string): Promise<ReopenAnswer> {
  return queue.store.write(async (rows) => reopenTask(rows, await knownTask(rows, taskId), reason));
}

/**
 * The same only while `version` is the current one, so that a verdict on an old result never takes a
 * newer one away: version_superseded once it has been reopened.
 */
export async function reopenVersion(
  queue: Queue,
  done: { readonly taskId: string; readonly version: number },
  reason: string,
): Promise<ReopenAnswer> {
  return queue.store.write(async (rows) => {
    const task = await knownTask(rows, done.taskId);
    if (task.version > done.version) throw new HandoffError("version_superseded");
    if (task.version < done.version) throw new HandoffError("not_done");
    return reopenTask(rows, task, reason);
  });
}

async function reopenTask(rows: WriteRows, { taskId, jobId, version }: TaskRow, reason: string) {
  const at = await rows.now();
  if ((await rows.reopenTask(taskId, at, reason)) !== 1) throw new HandoffError("not_done");
  const detail = { version: version + 1, reason };
  await rows.insertEvent(event({ at, kind: "reopened", taskId, jobId, detail }));
  return { task_id: taskId, state: "ready", version: version + 1 } as const;
}
