import { ReopenRequest } from "../../../../contracts/wire/queue.ts";
import { reopen as again } from "../../queue/reopen.ts";
import { ok } from "../call.ts";
import { json } from "../handler.ts";

export const reopen = json(ReopenRequest, async (call, body) => {
  call.note({ task_id: body.task_id, detail: body.reason });
  return ok(await again(call.services.queue, body.task_id, body.reason));
});
