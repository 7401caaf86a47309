import { TaskId } from "../../../contracts/names.ts";
import { HEADERS } from "../../../contracts/routes.ts";
import { HandoffError } from "../../core/error.ts";
import type { HeldLease } from "../queue/rows.ts";
import type { Call } from "./call.ts";
import { fencingToken } from "./fencing-token.ts";

/** The lease that a worker's upload states in its headers; null for the administrator, who has none. */
export function uploadLease(call: Call): HeldLease | null {
  const tasks = call.headerValues(HEADERS.taskId);
  if (call.principal?.role !== "worker") {
    if (tasks.length + call.headerValues(HEADERS.fencingToken).length > 0)
      throw new HandoffError("invalid_request_shape", "Only a worker's upload is under a lease.");
    return null;
  }
  const task = TaskId.safeParse(tasks[0]);
  const fence = fencingToken(call);
  if (tasks.length !== 1 || !task.success || fence === null)
    throw new HandoffError("invalid_request_shape", "Task-Id and Fencing-Token are needed, once each.");
  call.note({ task_id: task.data, fencing_token: fence });
  return { taskId: task.data, workerId: call.principal.workerUuid, fence };
}
