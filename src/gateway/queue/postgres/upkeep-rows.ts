import { integer, integerOrNull, text } from "../columns.ts";
import { readJob, readObject, readReceipt, readVerdict } from "../read-rows.ts";
import { readBlob, readOpenTasks } from "../read-upkeep-rows.ts";
import type { UpkeepReads, UpkeepWrites } from "../upkeep-rows.ts";
import type { Ask } from "./ask.ts";
import { SETTLED } from "./event-rows.ts";

/** The bundle that an object names: the expression of the index objects_bundle, letter by letter. */
const BUNDLE = `substring(payload from '^[{]"bundle":[{]"bytes":[0-9]+,"sha256":"([0-9a-f]{64})"')`;
const UNUSED = `removing_since IS NULL
  AND NOT EXISTS (SELECT 1 FROM job_scenes AS scene WHERE scene.sha256 = blobs.sha256)
  AND NOT EXISTS (SELECT 1 FROM objects WHERE ${BUNDLE} = blobs.sha256)
  AND sha256 NOT IN (SELECT upload.sha256 FROM leased JOIN tasks AS task USING (seq) JOIN uploads AS upload
    ON upload.task_id = task.task_id AND upload.fence = task.fence)`;

const OPEN = {
  name: "open_tasks",
  text: `WITH open AS MATERIALIZED (
     SELECT *, CASE WHEN state = 'leased' AND expires_at <= $1 THEN 'expired' ELSE state END AS told,
       ROW_NUMBER() OVER (ORDER BY seq) AS place
     FROM (SELECT * FROM tasks WHERE result IS NULL ORDER BY seq LIMIT $2) AS oldest)
   SELECT told AS state, COUNT(*) AS tasks, MIN(CASE WHEN place > $3 THEN NULL
     WHEN told = 'leased' THEN claimed_at WHEN told = 'expired' THEN expires_at
     ELSE COALESCE((SELECT MAX(at) FROM reasons WHERE reasons.task_id = open.task_id),
       (SELECT created_at FROM jobs WHERE jobs.job_id = open.job_id)) END) AS since
   FROM open GROUP BY told`,
};
const UNUSED_BLOBS = {
  name: "unused_blobs",
  text: `SELECT sha256, bytes FROM blobs WHERE created_at <= $1 AND sha256 > $2 AND ${UNUSED}
   ORDER BY sha256 LIMIT $3`,
};
const BEGUN = {
  name: "begun_removals",
  text: "SELECT sha256, bytes FROM blobs WHERE removing_since <= $1 ORDER BY sha256",
};
const JOBS = { name: "jobs_after", text: "SELECT * FROM jobs WHERE job_id > $1 ORDER BY job_id LIMIT $2" };
const RECEIPTS = {
  name: "receipts_after",
  text: `SELECT * FROM receipts WHERE (task_id, version) > ($1, $2) ORDER BY task_id, version LIMIT $3`,
};
const OBJECTS = {
  name: "objects_after",
  text: `SELECT * FROM objects WHERE (object_key, version) > ($1, $2) ORDER BY object_key, version LIMIT $3`,
};
const BLOBS = {
  name: "blobs_after",
  text: `SELECT sha256, bytes FROM blobs WHERE sha256 > $1 AND removing_since IS NULL ORDER BY sha256 LIMIT $2`,
};
const LISTED = { name: "blob_listed", text: "SELECT 1 AS found FROM blobs WHERE sha256 = $1" };
const SCENE_LISTED = {
  name: "scene_listed",
  text: "SELECT 1 AS found FROM job_scenes WHERE sha256 = $1 AND job_id = $2",
};
const VERDICTS = {
  name: "verdicts_after",
  text: `SELECT * FROM verdicts WHERE (object_key, version) > ($1, $2) ORDER BY object_key, version LIMIT $3`,
};
const ASTRAY = {
  name: "edges_of_nothing",
  text: `SELECT DISTINCT source_key || ' ' || source_version AS place FROM edges
     WHERE NOT EXISTS (SELECT 1 FROM verdicts WHERE object_key = source_key AND version = source_version)
     ORDER BY place LIMIT $1`,
};
const AHEAD = {
  name: "claims_ahead",
  text: `SELECT claim.task_id || ' ' || claim.fence AS place FROM claims AS claim
   LEFT JOIN tasks AS task ON task.task_id = claim.task_id
   WHERE task.task_id IS NULL OR claim.fence > task.fence LIMIT $1`,
};
const HELD = { name: "events_held", text: `SELECT MIN(at) AS at FROM events WHERE NOT (${SETTLED})` };
/** First: who refers to the blob now holds its row, and is seen by the statement after this one. */
const LOCK = { name: "lock_blob", text: "SELECT 1 FROM blobs WHERE sha256 = $1 FOR UPDATE" };
const MARK = {
  name: "mark_blob",
  text: `UPDATE blobs SET removing_since = $1 WHERE sha256 = $2 AND ${UNUSED}`,
};
const MARK_STRAY = {
  name: "mark_stray_blob",
  text: `INSERT INTO blobs(sha256, bytes, created_at, removing_since) VALUES ($1, $2, $3, $3)
   ON CONFLICT DO NOTHING`,
};
const TAKE_OVER = {
  name: "take_over_removal",
  text: "UPDATE blobs SET removing_since = $1 WHERE sha256 = $2 AND removing_since <= $3",
};
const END = {
  name: "end_removal",
  text: "DELETE FROM blobs WHERE sha256 = $1 AND removing_since IS NOT NULL",
};

export const upkeepRows = (ask: Ask): UpkeepReads & UpkeepWrites => ({
  openTasks: (now, { counted, aged }) => ask.many(OPEN, readOpenTasks, [now, counted, aged]),
  unusedBlobs: ({ before, after, limit }) => ask.many(UNUSED_BLOBS, readBlob, [before, after, limit]),
  begunRemovals: (before) => ask.many(BEGUN, readBlob, [before]),
  blobListed: async (sha256) => (await ask.one(LISTED, () => true, [sha256])) !== null,
  sceneListed: async (sha256, jobId) => (await ask.one(SCENE_LISTED, () => true, [sha256, jobId])) !== null,
  verdictsAfter: ({ key, version }, limit) => ask.many(VERDICTS, readVerdict, [key, version, limit]),
  jobsAfter: (jobId, limit) => ask.many(JOBS, readJob, [jobId, limit]),
  receiptsAfter: ({ taskId, version }, limit) =>
    ask.many(RECEIPTS, (row) => ({ ...readReceipt(row), fence: integer(row, "fence") }), [
      taskId,
      version,
      limit,
    ]),
  objectsAfter: ({ key, version }, limit) => ask.many(OBJECTS, readObject, [key, version, limit]),
  blobsAfter: (sha256, limit) => ask.many(BLOBS, readBlob, [sha256, limit]),
  claimsAhead: (limit) => ask.many(AHEAD, (row) => text(row, "place"), [limit]),
  edgesOfNothing: (limit) => ask.many(ASTRAY, (row) => text(row, "place"), [limit]),
  eventsHeldSince: () => ask.one(HELD, (row) => integerOrNull(row, "at"), []),
  // PostgreSQL checks its own files (data checksums, amcheck); here is nothing to ask
  integrity: async () => [],
  beginRemoval: async (sha256, now) => {
    await ask.one(LOCK, () => null, [sha256]);
    return (await ask.changed(MARK, [now, sha256])) > 0;
  },
  beginStrayRemoval: async ({ sha256, bytes }, now) =>
    (await ask.changed(MARK_STRAY, [sha256, bytes, now])) > 0,
  takeOverRemoval: async (sha256, before, now) => (await ask.changed(TAKE_OVER, [now, sha256, before])) > 0,
  endRemoval: async (sha256) => {
    await ask.changed(END, [sha256]);
  },
});
