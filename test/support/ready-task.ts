import type { TaskRecord } from "../../contracts/documents/records.ts";

/** A task that nobody has claimed, as a gateway tells it. */
export const readyTask = (taskId: string, payload: TaskRecord["payload"]): TaskRecord => ({
  schema: "render_handoff.task_record.v1",
  task_id: taskId,
  state: "ready",
  version: 1,
  fencing_token: 0,
  claims: 0,
  worker_id: null,
  lease_expires_at: null,
  lease_seconds: 60,
  progress: null,
  payload,
});
