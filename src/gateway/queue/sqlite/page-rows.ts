import type { DatabaseSync } from "node:sqlite";
import { blob } from "../columns.ts";
import { patternOf } from "../page-text.ts";
import { readEvent, readHandoffPlace, readPreview } from "../read-rows.ts";
import type { WriteRows } from "../store.ts";
import { OPEN } from "./open-tasks.ts";
import { changed, many, one } from "./statements.ts";

type PageRows = Pick<
  WriteRows,
  "handoffs" | "recentEvents" | "previewOf" | "previewBytes" | "putPreview" | "prunePreviews"
>;

/** Few, however many are done. */
const OPEN_JOBS = `SELECT job_id FROM ${OPEN} AND job_id IS NOT NULL`;
const FOUND = `(a.job_id LIKE ?3 ESCAPE '\\' OR EXISTS (SELECT 1 FROM tasks AS task
  JOIN workers AS worker ON worker.worker_uuid = task.worker_id WHERE task.job_id = a.job_id
  AND (worker.name LIKE ?3 ESCAPE '\\' OR worker.worker_uuid LIKE ?3 ESCAPE '\\')))`;

export function pageRows(db: DatabaseSync): PageRows {
  // a slot's seq is in the order in which jobs came, so the primary key is walked from its end
  const list = (where: string) =>
    db.prepare(
      `SELECT a.seq AS place, a.job_id AS job_id FROM tasks AS a WHERE a.slot = 'a' AND a.seq < ?1
       AND (?3 IS NULL OR ${FOUND}) AND ${where} ORDER BY a.seq DESC LIMIT ?2`,
    );
  const lists = {
    all: list("TRUE"),
    open: list(`a.job_id IN (${OPEN_JOBS})`),
    done: list(`a.job_id NOT IN (${OPEN_JOBS})`),
  };
  const events = db.prepare("SELECT 0 AS tx, * FROM events ORDER BY id DESC LIMIT ?");
  const eventsOfJob = db.prepare(
    `SELECT * FROM (SELECT 0 AS tx, * FROM events ORDER BY id DESC LIMIT 5000)
     WHERE job_id = ? ORDER BY id DESC LIMIT ?`,
  );
  const preview = db.prepare("SELECT fence, frame, at FROM previews WHERE task_id = ?");
  const bytes = db.prepare("SELECT png FROM previews WHERE task_id = ?");
  const put = db.prepare(
    `INSERT OR REPLACE INTO previews(task_id, fence, frame, at, png) SELECT task_id, fence, ?, ?, ? FROM tasks
     WHERE task_id = ? AND state = 'leased' AND worker_id = ? AND fence = ? AND expires_at > ?`,
  );
  const prune = db.prepare("DELETE FROM previews WHERE at < ?");
  return {
    handoffs: async ({ open, text, before, limit }) =>
      many(
        open === null ? lists.all : open ? lists.open : lists.done,
        readHandoffPlace,
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
        text === null ? null : patternOf(text),
      ),
    recentEvents: async (jobId, limit) =>
      jobId === null ? many(events, readEvent, limit) : many(eventsOfJob, readEvent, jobId, limit),
    previewOf: async (taskId) => one(preview, readPreview, taskId),
    previewBytes: async (taskId) => one(bytes, (row) => blob(row, "png"), taskId),
    putPreview: async ({ taskId, workerId, fence }, now, { frame, png }) =>
      changed(put, frame, now, png, taskId, workerId, fence, now),
    prunePreviews: async (before) => changed(prune, before),
  };
}
