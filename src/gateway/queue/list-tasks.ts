import type { TaskList } from "../../../contracts/wire/people.ts";
import { HandoffError } from "../../core/error.ts";
import { pageOf } from "./page-of.ts";
import type { Queue } from "./queue.ts";
import type { TaskFilter } from "./rows.ts";
import { taskRecord } from "./task-record.ts";

/** A page of tasks; the cursor is the last task id of the page, null on the last page. */
export async function listTasks(queue: Queue, filter: TaskFilter): Promise<TaskList> {
  return queue.store.read(async (rows) => {
    if (filter.after !== null && (await rows.task(filter.after)) === null)
      throw new HandoffError("invalid_request_shape", "The cursor is no task of this gateway.");
    const now = await rows.now();
    const found = await rows.tasks({ ...filter, limit: filter.limit + 1 }, now);
    const { page, cursor } = pageOf(found, filter.limit, ({ taskId }) => taskId);
    return { tasks: page.map((task) => taskRecord(task, now)), cursor };
  });
}
