import { readTask } from "../../queue/read-task.ts";
import { ok, param, readerOf } from "../call.ts";
import { plain } from "../handler.ts";

export const getTask = plain(async (call) =>
  ok(await readTask(call.services.queue, param(call, "task_id"), readerOf(call))),
);
