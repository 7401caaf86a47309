import { ReopenRequest } from "../../../../contracts/wire/queue.ts";
import { reopen as again, reopenVersion } from "../../queue/reopen.ts";
import { ok } from "../call.ts";
import { json } from "../handler.ts";

export const reopen = json(ReopenRequest, async (call, { task_id: taskId, reason, version }) => {
  call.note({ task_id: taskId, detail: reason });
  const { queue } = call.services;
  return ok(
    version === undefined
      ? await again(queue, taskId, reason)
      : await reopenVersion(queue, { taskId, version }, reason),
  );
});
