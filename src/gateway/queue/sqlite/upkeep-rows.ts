import type { DatabaseSync } from "node:sqlite";
import { integer, text } from "../columns.ts";
import { readJob, readObject, readReceipt, readVerdict } from "../read-rows.ts";
import { readBlob, readOpenTasks } from "../read-upkeep-rows.ts";
import type { UpkeepReads, UpkeepWrites } from "../upkeep-rows.ts";
import { LEASED, OPEN } from "./open-tasks.ts";
import { receiptsOf } from "./receipt-rows.ts";
import { changed, many } from "./statements.ts";

/** The bundle that an object names: the expression of the index objects_bundle, letter by letter. */
const BUNDLE = `CASE WHEN substr(payload, 1, 19) = '{"bundle":{"bytes":'
  THEN substr(payload, instr(payload, '"sha256":"') + 10, 64) END`;
const UNUSED = `removing_since IS NULL
  AND NOT EXISTS (SELECT 1 FROM job_scenes AS scene WHERE scene.sha256 = blobs.sha256)
  AND NOT EXISTS (SELECT 1 FROM objects WHERE (${BUNDLE}) = blobs.sha256)
  AND sha256 NOT IN (SELECT upload.sha256 FROM tasks JOIN uploads AS upload
    ON upload.task_id = tasks.task_id AND upload.fence = tasks.fence WHERE ${LEASED})`;
/** ?1 now, ?2 tasks counted, ?3 tasks whose age is looked for. */
const IN_STATES = `WITH open AS MATERIALIZED (
    SELECT *, CASE WHEN state = 'leased' AND expires_at <= ?1 THEN 'expired' ELSE state END AS told,
      ROW_NUMBER() OVER (ORDER BY seq) AS place
    FROM (SELECT * FROM (SELECT tasks.* FROM ${OPEN} AND worker_id IS NULL ORDER BY seq LIMIT ?2)
      UNION ALL SELECT * FROM (SELECT * FROM tasks WHERE ${LEASED} LIMIT ?2)))
  SELECT told AS state, COUNT(*) AS tasks, MIN(CASE WHEN place > ?3 THEN NULL
    WHEN told = 'leased' THEN claimed_at WHEN told = 'expired' THEN expires_at
    ELSE COALESCE((SELECT MAX(at) FROM reasons WHERE reasons.task_id = open.task_id),
      (SELECT created_at FROM jobs WHERE jobs.job_id = open.job_id)) END) AS since
  FROM open GROUP BY told`;

export function upkeepRows(db: DatabaseSync): UpkeepReads & UpkeepWrites {
  const open = db.prepare(IN_STATES);
  const unused = db.prepare(
    `SELECT sha256, bytes FROM blobs WHERE created_at <= ? AND sha256 > ? AND ${UNUSED} ORDER BY sha256 LIMIT ?`,
  );
  const begun = db.prepare("SELECT sha256, bytes FROM blobs WHERE removing_since <= ? ORDER BY sha256");
  const jobs = db.prepare("SELECT * FROM jobs WHERE job_id > ? ORDER BY job_id LIMIT ?");
  const receipts = db.prepare(
    `SELECT receipts.* FROM tasks CROSS JOIN receipts ON ${receiptsOf("tasks.seq")}
     WHERE tasks.task_id >= ?1 AND (tasks.task_id, receipts.version) > (?1, ?2)
     ORDER BY tasks.task_id, receipts.place LIMIT ?3`,
  );
  const objects = db.prepare(
    "SELECT * FROM objects WHERE (object_key, version) > (?, ?) ORDER BY object_key, version LIMIT ?",
  );
  const blobs = db.prepare(
    "SELECT sha256, bytes FROM blobs WHERE sha256 > ? AND removing_since IS NULL ORDER BY sha256 LIMIT ?",
  );
  const listed = db.prepare("SELECT 1 AS found FROM blobs WHERE sha256 = ?");
  const scene = db.prepare("SELECT 1 AS found FROM job_scenes WHERE sha256 = ? AND job_id = ?");
  const verdicts = db.prepare(
    "SELECT * FROM verdicts WHERE (object_key, version) > (?, ?) ORDER BY object_key, version LIMIT ?",
  );
  const astray = db.prepare(
    `SELECT DISTINCT source_key || ' ' || source_version AS place FROM edges
     WHERE NOT EXISTS (SELECT 1 FROM verdicts WHERE object_key = source_key AND version = source_version)
     ORDER BY place LIMIT ?`,
  );
  const ahead = db.prepare(
    `SELECT claim.task_id || ' ' || claim.fence AS place FROM claims AS claim
     LEFT JOIN tasks AS task ON task.task_id = claim.task_id
     WHERE task.task_id IS NULL OR claim.fence > task.fence LIMIT ?`,
  );
  const mark = db.prepare(`UPDATE blobs SET removing_since = ? WHERE sha256 = ? AND ${UNUSED}`);
  const markStray = db.prepare(
    "INSERT INTO blobs(sha256, bytes, created_at, removing_since) VALUES (?1, ?2, ?3, ?3) ON CONFLICT DO NOTHING",
  );
  const takeOver = db.prepare("UPDATE blobs SET removing_since = ? WHERE sha256 = ? AND removing_since <= ?");
  const end = db.prepare("DELETE FROM blobs WHERE sha256 = ? AND removing_since IS NOT NULL");
  return {
    openTasks: async (now, { counted, aged }) => many(open, readOpenTasks, now, counted, aged),
    unusedBlobs: async ({ before, after, limit }) => many(unused, readBlob, before, after, limit),
    begunRemovals: async (before) => many(begun, readBlob, before),
    blobListed: async (sha256) => listed.get(sha256) !== undefined,
    sceneListed: async (sha256, jobId) => scene.get(sha256, jobId) !== undefined,
    verdictsAfter: async ({ key, version }, limit) => many(verdicts, readVerdict, key, version, limit),
    jobsAfter: async (jobId, limit) => many(jobs, readJob, jobId, limit),
    receiptsAfter: async ({ taskId, version }, limit) =>
      many(
        receipts,
        (row) => ({ ...readReceipt(row), fence: integer(row, "fence") }),
        taskId,
        version,
        limit,
      ),
    objectsAfter: async ({ key, version }, limit) => many(objects, readObject, key, version, limit),
    blobsAfter: async (sha256, limit) => many(blobs, readBlob, sha256, limit),
    claimsAhead: async (limit) => many(ahead, (row) => text(row, "place"), limit),
    edgesOfNothing: async (limit) => many(astray, (row) => text(row, "place"), limit),
    // who reads sees every event that is committed
    eventsHeldSince: async () => null,
    integrity: async () => [
      ...many(db.prepare("PRAGMA integrity_check(20)"), (row) => text(row, "integrity_check")).filter(
        (line) => line !== "ok",
      ),
      ...many(
        db.prepare("PRAGMA foreign_key_check"),
        (row) => `${text(row, "table")}: a reference to nothing`,
      ),
    ],
    beginRemoval: async (sha256, now) => changed(mark, now, sha256) > 0,
    beginStrayRemoval: async ({ sha256, bytes }, now) => changed(markStray, sha256, bytes, now) > 0,
    takeOverRemoval: async (sha256, before, now) => changed(takeOver, now, sha256, before) > 0,
    endRemoval: async (sha256) => {
      end.run(sha256);
    },
  };
}
