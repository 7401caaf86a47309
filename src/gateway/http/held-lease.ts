import type { HeldLease } from "../queue/rows.ts";
import { type Call, ownWorker } from "./call.ts";

/** The lease that a worker's body states; only the token's own worker may state it. */
export function heldLease(
  call: Call,
  body: { task_id: string; worker_id: string; fencing_token: number },
): HeldLease {
  call.note({ task_id: body.task_id, fencing_token: body.fencing_token });
  return {
    taskId: body.task_id,
    workerId: ownWorker(call, body.worker_id),
    fence: body.fencing_token,
  };
}
