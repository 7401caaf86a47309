import { EnqueueRequest } from "../../../../contracts/wire/queue.ts";
import { enqueue as store } from "../../queue/enqueue.ts";
import { ok } from "../call.ts";
import { json } from "../handler.ts";

/** 201 for a new task, 200 for the same again. */
export const enqueue = json(EnqueueRequest, async (call, body) => {
  call.note({ task_id: body.task_id });
  const created = await store(call.services.queue, {
    taskId: body.task_id,
    payload: body.payload,
    leaseSeconds: body.lease_seconds,
  });
  return ok({ task_id: body.task_id, created }, created ? 201 : 200);
});
