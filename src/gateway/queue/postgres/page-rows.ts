import { blob } from "../columns.ts";
import { patternOf } from "../page-text.ts";
import { readEvent, readHandoffPlace, readPreview } from "../read-rows.ts";
import type { WriteRows } from "../store.ts";
import type { Ask } from "./ask.ts";

type PageRows = Pick<
  WriteRows,
  "handoffs" | "recentEvents" | "previewOf" | "previewBytes" | "putPreview" | "prunePreviews"
>;

/** Few, however many are done. */
const OPEN = "SELECT job_id FROM tasks WHERE result IS NULL AND job_id IS NOT NULL";
const FOUND = `(a.job_id ILIKE $3 OR EXISTS (SELECT 1 FROM tasks AS task
  JOIN workers AS worker ON worker.worker_uuid = task.worker_id WHERE task.job_id = a.job_id
  AND (worker.name ILIKE $3 OR worker.worker_uuid ILIKE $3)))`;
// a slot's seq is in the order in which jobs came, so the primary key is walked from its end
const list = (name: string, where: string) => ({
  name,
  text: `SELECT a.seq AS place, a.job_id FROM tasks AS a WHERE a.slot = 'a' AND a.seq < $1::bigint
   AND ($3::text IS NULL OR ${FOUND}) AND ${where} ORDER BY a.seq DESC LIMIT $2`,
});
const LISTS = {
  all: list("handoffs_all", "TRUE"),
  open: list("handoffs_open", `a.job_id IN (${OPEN})`),
  done: list("handoffs_done", `a.job_id NOT IN (${OPEN})`),
};
const EVENTS = { name: "recent_events", text: "SELECT * FROM events ORDER BY tx DESC, id DESC LIMIT $1" };
const EVENTS_OF_JOB = {
  name: "recent_events_of_job",
  text: `SELECT * FROM (SELECT * FROM events ORDER BY tx DESC, id DESC LIMIT 5000) AS newest
   WHERE job_id = $1 ORDER BY tx DESC, id DESC LIMIT $2`,
};
const PREVIEW = { name: "preview", text: "SELECT fence, frame, at FROM previews WHERE task_id = $1" };
const BYTES = { name: "preview_bytes", text: "SELECT png FROM previews WHERE task_id = $1" };
const PUT = {
  name: "put_preview",
  text: `INSERT INTO previews(task_id, fence, frame, at, png)
   SELECT task_id, fence, $5::bigint, $4::bigint, $6::bytea FROM tasks
   WHERE task_id = $1 AND state = 'leased' AND worker_id = $2 AND fence = $3 AND expires_at > $4
   ON CONFLICT (task_id) DO UPDATE SET fence = EXCLUDED.fence, frame = EXCLUDED.frame, at = EXCLUDED.at,
    png = EXCLUDED.png`,
};
const PRUNE = { name: "prune_previews", text: "DELETE FROM previews WHERE at < $1" };

export const pageRows = (ask: Ask): PageRows => ({
  handoffs: ({ open, text, before, limit }) =>
    ask.many(open === null ? LISTS.all : open ? LISTS.open : LISTS.done, readHandoffPlace, [
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
      text === null ? null : patternOf(text),
    ]),
  recentEvents: (jobId, limit) =>
    jobId === null
      ? ask.many(EVENTS, readEvent, [limit])
      : ask.many(EVENTS_OF_JOB, readEvent, [jobId, limit]),
  previewOf: (taskId) => ask.one(PREVIEW, readPreview, [taskId]),
  previewBytes: (taskId) => ask.one(BYTES, (row) => blob(row, "png"), [taskId]),
  putPreview: ({ taskId, workerId, fence }, now, { frame, png }) =>
    ask.changed(PUT, [taskId, workerId, fence, now, frame, png]),
  prunePreviews: (before) => ask.changed(PRUNE, [before]),
});
