import type { DatabaseSync } from "node:sqlite";
import { beingRemoved } from "../being-removed.ts";
import { integer, text } from "../columns.ts";
import { readJob } from "../read-rows.ts";
import type { WriteRows } from "../store.ts";
import { LEASED } from "./open-tasks.ts";
import { changed, one } from "./statements.ts";

type JobRows = Pick<
  WriteRows,
  | "meta"
  | "putMeta"
  | "replaceMeta"
  | "job"
  | "insertJob"
  | "blobBytes"
  | "insertBlob"
  | "sceneOfHolder"
  | "uploadedBytes"
  | "insertUpload"
  | "deleteUpload"
>;

export const REPLACE_META =
  "INSERT INTO meta(name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value";

export function jobRows(db: DatabaseSync): JobRows {
  const meta = db.prepare("SELECT value FROM meta WHERE name = ?");
  const putMeta = db.prepare("INSERT INTO meta(name, value) VALUES (?, ?) ON CONFLICT DO NOTHING");
  const replaceMeta = db.prepare(REPLACE_META);
  const job = db.prepare("SELECT * FROM jobs WHERE job_id = ?");
  const insertJob = db.prepare("INSERT INTO jobs(job_id, sha256, bytes, created_at) VALUES (?, ?, ?, ?)");
  const insertScene = db.prepare("INSERT INTO job_scenes(sha256, job_id) VALUES (?, ?)");
  const bytes = db.prepare("SELECT bytes FROM blobs WHERE sha256 = ? AND removing_since IS NULL");
  const renewBlob = db.prepare(
    "UPDATE blobs SET created_at = MAX(created_at, ?) WHERE sha256 = ? AND removing_since IS NULL",
  );
  const insertBlob = db.prepare(
    "INSERT INTO blobs(sha256, bytes, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const scene = db.prepare(
    `SELECT 1 AS found FROM tasks CROSS JOIN job_scenes AS scene ON scene.job_id = tasks.job_id
     WHERE scene.sha256 = ? AND ${LEASED} AND tasks.worker_id = ? AND tasks.expires_at > ? LIMIT 1`,
  );
  const uploaded = db.prepare(
    "SELECT COALESCE(SUM(bytes), 0) AS bytes FROM uploads WHERE task_id = ? AND fence = ? AND sha256 <> ?",
  );
  const insertUpload = db.prepare(
    `INSERT INTO uploads(task_id, fence, sha256, bytes) SELECT task_id, fence, ?, ? FROM tasks
     WHERE task_id = ? AND state = 'leased' AND worker_id = ? AND fence = ? AND expires_at > ?
     ON CONFLICT DO UPDATE SET bytes = MAX(uploads.bytes, excluded.bytes)`,
  );
  const deleteUpload = db.prepare("DELETE FROM uploads WHERE task_id = ? AND fence = ? AND sha256 = ?");
  return {
    meta: async (name) => one(meta, (row) => text(row, "value"), name) ?? "",
    putMeta: async (name, value) => {
      putMeta.run(name, value);
    },
    replaceMeta: async (name, value) => {
      replaceMeta.run(name, value);
    },
    job: async (jobId) => one(job, readJob, jobId),
    insertJob: async (row, scenes, now) => {
      insertJob.run(row.jobId, row.sha256, row.bytes, now);
      for (const digest of scenes) insertScene.run(digest, row.jobId);
    },
    blobBytes: async (sha256) => one(bytes, (row) => integer(row, "bytes"), sha256),
    insertBlob: async (row, now) => {
      if (changed(renewBlob, now, row.sha256) > 0) return false;
      if (changed(insertBlob, row.sha256, row.bytes, now) > 0) return true;
      throw beingRemoved(row.sha256);
    },
    sceneOfHolder: async (sha256, workerId, now) => scene.get(sha256, workerId, now) !== undefined,
    uploadedBytes: async ({ taskId, fence }, except) =>
      one(uploaded, (row) => integer(row, "bytes"), taskId, fence, except) ?? 0,
    insertUpload: async ({ taskId, workerId, fence }, now, row) =>
      changed(insertUpload, row.sha256, row.bytes, taskId, workerId, fence, now),
    deleteUpload: async ({ taskId, fence }, sha256) => {
      deleteUpload.run(taskId, fence, sha256);
    },
  };
}
