import { beingRemoved } from "../being-removed.ts";
import { integer, text } from "../columns.ts";
import { readJob } from "../read-rows.ts";
import type { WriteRows } from "../store.ts";
import type { Ask } from "./ask.ts";

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

const META = { name: "meta", text: "SELECT value FROM meta WHERE name = $1" };
const PUT_META = {
  name: "put_meta",
  text: "INSERT INTO meta(name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING",
};
export const REPLACE_META = {
  name: "replace_meta",
  text: `INSERT INTO meta(name, value) VALUES ($1, $2)
   ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`,
};
const JOB = { name: "job", text: "SELECT * FROM jobs WHERE job_id = $1" };
const INSERT_JOB = {
  name: "insert_job",
  text: "INSERT INTO jobs(job_id, sha256, bytes, created_at) VALUES ($1, $2, $3, $4)",
};
const INSERT_SCENE = {
  name: "insert_scene",
  text: "INSERT INTO job_scenes(sha256, job_id) VALUES ($1, $2)",
};
const BYTES = {
  name: "blob_bytes",
  text: "SELECT bytes FROM blobs WHERE sha256 = $1 AND removing_since IS NULL",
};
/** What refers to the blob and what removes it wait for each other. */
const LOCK_BYTES = { name: "lock_blob_bytes", text: `${BYTES.text} FOR SHARE` };
const INSERT_BLOB = {
  name: "insert_blob",
  text: `INSERT INTO blobs(sha256, bytes, created_at) VALUES ($1, $2, $3)
   ON CONFLICT (sha256) DO UPDATE SET created_at = GREATEST(blobs.created_at, EXCLUDED.created_at)
   WHERE blobs.removing_since IS NULL RETURNING CASE WHEN xmax = 0 THEN 1 ELSE 0 END AS created`,
};
const SCENE = {
  name: "scene_of_holder",
  text: `SELECT 1 AS found FROM tasks AS task JOIN job_scenes AS scene ON scene.job_id = task.job_id
   WHERE scene.sha256 = $1 AND task.state = 'leased' AND task.worker_id = $2 AND task.expires_at > $3 LIMIT 1`,
};
const UPLOADED = {
  name: "uploaded_bytes",
  text: `SELECT COALESCE(SUM(bytes), 0)::bigint AS bytes FROM uploads
   WHERE task_id = $1 AND fence = $2 AND sha256 <> $3`,
};
const INSERT_UPLOAD = {
  name: "insert_upload",
  text: `INSERT INTO uploads(task_id, fence, sha256, bytes) SELECT task_id, fence, $5::text, $6::bigint FROM tasks
   WHERE task_id = $1 AND state = 'leased' AND worker_id = $2 AND fence = $3 AND expires_at > $4
   ON CONFLICT (task_id, fence, sha256) DO UPDATE SET bytes = GREATEST(uploads.bytes, EXCLUDED.bytes)`,
};
const DELETE_UPLOAD = {
  name: "delete_upload",
  text: "DELETE FROM uploads WHERE task_id = $1 AND fence = $2 AND sha256 = $3",
};

export const jobRows = (ask: Ask, writes: boolean): JobRows => ({
  meta: async (name) => (await ask.one(META, (row) => text(row, "value"), [name])) ?? "",
  putMeta: async (name, value) => {
    await ask.changed(PUT_META, [name, value]);
  },
  replaceMeta: async (name, value) => {
    await ask.changed(REPLACE_META, [name, value]);
  },
  job: (jobId) => ask.one(JOB, readJob, [jobId]),
  insertJob: async (row, scenes, now) => {
    await ask.changed(INSERT_JOB, [row.jobId, row.sha256, row.bytes, now]);
    for (const digest of scenes) await ask.changed(INSERT_SCENE, [digest, row.jobId]);
  },
  blobBytes: (sha256) => ask.one(writes ? LOCK_BYTES : BYTES, (row) => integer(row, "bytes"), [sha256]),
  insertBlob: async (row, now) => {
    const values = [row.sha256, row.bytes, now];
    const created = await ask.written(INSERT_BLOB, (made) => integer(made, "created"), values);
    if (created === null) throw beingRemoved(row.sha256);
    return created === 1;
  },
  sceneOfHolder: async (sha256, workerId, now) =>
    (await ask.one(SCENE, () => true, [sha256, workerId, now])) !== null,
  uploadedBytes: async ({ taskId, fence }, except) =>
    (await ask.one(UPLOADED, (row) => integer(row, "bytes"), [taskId, fence, except])) ?? 0,
  insertUpload: ({ taskId, workerId, fence }, now, row) =>
    ask.changed(INSERT_UPLOAD, [taskId, workerId, fence, now, row.sha256, row.bytes]),
  deleteUpload: async ({ taskId, fence }, sha256) => {
    await ask.changed(DELETE_UPLOAD, [taskId, fence, sha256]);
  },
});
