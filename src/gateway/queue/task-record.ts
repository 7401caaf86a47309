import type { TaskRecord } from "../../../contracts/documents/records.ts";
import { timestamp } from "../../core/clock.ts";
import { isLeased } from "./lease.ts";
import { parseStored } from "./payload.ts";
import type { TaskRow } from "./rows.ts";

/** A task as it is told: a lease that has ended is no lease, so the task is ready and has no worker. */
export function taskRecord(task: TaskRow, now: number): TaskRecord {
  const ended = task.state === "leased" && !isLeased(task, now);
  return {
    schema: "render_handoff.task_record.v1",
    task_id: task.taskId,
    state: ended ? "ready" : task.state,
    version: task.version,
    fencing_token: task.fence,
    claims: task.claims,
    worker_id: ended ? null : task.workerId,
    lease_expires_at: ended || task.expiresAt === null ? null : timestamp(task.expiresAt),
    lease_seconds: task.leaseSeconds,
    progress: ended || task.progress === null ? null : parseStored(task.progress),
    payload: parseStored(task.payload),
  };
}
