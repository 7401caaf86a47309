import type { NewEvent } from "../rows.ts";
import type { Value } from "./ask.ts";

/** An event as a part of the statement that it tells of, so that it costs no journey. Six parameters from `first` on. */
export const insertEvent = (first: number): string =>
  `INSERT INTO events(at, kind, task_id, job_id, worker_uuid, detail)
   VALUES (${[0, 1, 2, 3, 4, 5].map((n) => `$${first + n}`).join(", ")})`;

export const eventValues = ({ at, kind, taskId, jobId, workerUuid, detail }: NewEvent): Value[] => [
  at,
  kind,
  taskId,
  jobId,
  workerUuid,
  detail,
];
