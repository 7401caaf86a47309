import type { NewEvent } from "../rows.ts";

/** Events as a part of the statement that they tell of, so that they cost no journey; the parameter holds them all. */
export const insertEvents = (parameter: string): string =>
  `INSERT INTO events(at, kind, task_id, job_id, worker_uuid, detail)
   SELECT * FROM JSON_TO_RECORDSET(${parameter}::json)
    AS told(at BIGINT, kind TEXT, task_id TEXT, job_id TEXT, worker_uuid TEXT, detail TEXT)`;

export const eventsValue = (told: readonly NewEvent[]): string =>
  JSON.stringify(
    told.map(({ at, kind, taskId, jobId, workerUuid, detail }) => ({
      ...{ at, kind, detail },
      task_id: taskId,
      job_id: jobId,
      worker_uuid: workerUuid,
    })),
  );
