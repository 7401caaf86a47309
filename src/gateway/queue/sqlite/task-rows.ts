import type { DatabaseSync } from "node:sqlite";
import { integer } from "../columns.ts";
import { readTask, TASK, taskInOrder } from "../read-rows.ts";
import type { NewEvent } from "../rows.ts";
import type { WriteRows } from "../store.ts";
import { LEASED, OPEN } from "./open-tasks.ts";
import { changed, many, one } from "./statements.ts";

type TaskRows = Pick<
  WriteRows,
  | "task"
  | "sibling"
  | "tasks"
  | "insertTask"
  | "takeTask"
  | "extendLease"
  | "releaseLease"
  | "finishTask"
  | "reopenTask"
  | "endLeases"
>;

/** Rule 3: every write after a claim carries this condition: owner, fence, expiry. */
const HELD = "task_id = ? AND state = 'leased' AND worker_id = ? AND fence = ? AND expires_at > ?";
export const FREED =
  "state = 'ready', worker_id = NULL, claimed_at = NULL, expires_at = NULL, progress = NULL";
/** What a restore has kept for tasks that are new or reopened; null in a store that never was restored. */
export const FENCE_FLOOR = "(SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'fence_floor')";
/** A filter by state in which a lease that has ended counts as ready; ?1 state or null, ?2 now. */
const IN_STATE = `(?1 IS NULL
  OR (?1 = 'ready' AND (state = 'ready' OR (state = 'leased' AND expires_at <= ?2)))
  OR (?1 = 'leased' AND state = 'leased' AND expires_at > ?2)
  OR (?1 = 'open' AND state <> 'done') OR (?1 = 'done' AND state = 'done'))`;
const PLACE = "(SELECT seq FROM tasks WHERE task_id = ?5)";

const OF_JOB = "tasks INDEXED BY tasks_of_job WHERE job_id = ?4";

export function taskRows(db: DatabaseSync, tell: (event: NewEvent) => void): TaskRows {
  const byId = db.prepare(`SELECT ${TASK} FROM tasks WHERE task_id = ?`);
  // every claim and submit reads a task, and naming its columns takes longer than reading them
  byId.setReturnArrays(true);
  const sibling = db.prepare(`SELECT ${TASK} FROM tasks WHERE job_id = ? AND slot <> ?`);
  const list = (from: string) =>
    db.prepare(
      `SELECT ${TASK} FROM ${from} AND ${IN_STATE} AND (?3 IS NULL OR slot = ?3) AND (?4 IS NULL OR job_id = ?4)
       AND seq > COALESCE(${PLACE}, 0) ORDER BY seq LIMIT ?6`,
    );
  const backwards = (from: string) =>
    db.prepare(
      `SELECT ${TASK} FROM ${from} AND ${IN_STATE} AND (?3 IS NULL OR slot = ?3) AND (?4 IS NULL OR job_id = ?4)
       AND seq < COALESCE(${PLACE}, 9223372036854775807) ORDER BY seq DESC LIMIT ?6`,
    );
  // done tasks, however many, are never walked in search of open ones or of a job's two, nor ready ones for leases
  const lists = {
    all: list("tasks WHERE TRUE"),
    leased: list(`tasks WHERE ${LEASED}`),
    ready: list(OPEN),
    open: list(OPEN),
    ofJob: list(OF_JOB),
  };
  const newest = { all: backwards("tasks WHERE TRUE"), open: backwards(OPEN), ofJob: backwards(OF_JOB) };
  const insert = db.prepare(
    `INSERT INTO tasks(task_id, payload, job_id, slot, lease_seconds, slot_seconds, max_claims, distinct_by,
     bundle_bytes, fence) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, COALESCE(${FENCE_FLOOR}, 0))`,
  );
  const take = db.prepare(
    `UPDATE tasks SET state = 'leased', worker_id = ?, fence = fence + 1, claims = claims + 1, claimed_at = ?,
     expires_at = ?, progress = NULL
     WHERE task_id = ? AND fence = ? - 1 AND (state = 'ready' OR (state = 'leased' AND expires_at <= ?))`,
  );
  const keep = db.prepare(
    "INSERT INTO claims(task_id, worker_id, idempotency_key, fence) VALUES (?, ?, ?, ?)",
  );
  const extend = db.prepare(
    `UPDATE tasks SET expires_at = MIN(? + lease_seconds, claimed_at + COALESCE(slot_seconds, 1000000000)),
     progress = COALESCE(?, progress) WHERE ${HELD} RETURNING expires_at`,
  );
  const free = db.prepare(`UPDATE tasks SET ${FREED} WHERE ${HELD}`);
  const reason = db.prepare(
    `INSERT INTO reasons(task_id, kind, version, fence, reason, at)
     SELECT task_id, ?, version, fence, ?, ? FROM tasks WHERE task_id = ?`,
  );
  const finish = db.prepare(`UPDATE tasks SET state = 'done', result = ? WHERE ${HELD}`);
  const again = db.prepare(
    `UPDATE tasks SET ${FREED}, result = NULL, claims = 0, version = version + 1,
     fence = MAX(fence, COALESCE(${FENCE_FLOOR}, 0))
     WHERE task_id = ? AND (state = 'done' OR (claims >= max_claims AND (state = 'ready' OR expires_at <= ?)))`,
  );
  const endAll = db.prepare(`UPDATE tasks SET ${FREED} WHERE ${LEASED} AND worker_id = ?`);
  return {
    task: async (taskId) => {
      const values: unknown = byId.get(taskId);
      return Array.isArray(values) ? readTask(taskInOrder(values)) : null;
    },
    sibling: async (task) => one(sibling, readTask, task.jobId, task.slot),
    tasks: async ({ state, slot, jobId, newestFirst, after, limit }, now) => {
      const open = state === "ready" || state === "leased" || state === "open";
      const inState = newestFirst ? newest[open ? "open" : "all"] : lists[open ? state : "all"];
      const ofJob = newestFirst ? newest.ofJob : lists.ofJob;
      return many(jobId === null ? inState : ofJob, readTask, state, now, slot, jobId, after, limit);
    },
    insertTask: async (task) => {
      insert.run(
        task.taskId,
        task.payload,
        task.jobId,
        task.slot,
        task.leaseSeconds,
        task.slotSeconds,
        task.maxClaims,
        task.distinct,
        task.bundleBytes,
      );
    },
    takeTask: async ({ taskId, workerId, fence, now, expiresAt }, key, told) => {
      const count = changed(take, workerId, now, expiresAt, taskId, fence, now);
      if (count > 0 && key !== null) keep.run(taskId, workerId, key, fence);
      if (count > 0) tell(told);
      return count;
    },
    extendLease: async ({ taskId, workerId, fence }, now, progress) =>
      one(extend, (row) => integer(row, "expires_at"), now, progress, taskId, workerId, fence, now),
    releaseLease: async ({ taskId, workerId, fence }, now, why) => {
      const count = changed(free, taskId, workerId, fence, now);
      if (count > 0) reason.run("release", why, now, taskId);
      return count;
    },
    finishTask: async ({ taskId, workerId, fence }, now, result) =>
      changed(finish, result, taskId, workerId, fence, now),
    reopenTask: async (taskId, now, why) => {
      const count = changed(again, taskId, now);
      if (count > 0) reason.run("reopen", why, now, taskId);
      return count;
    },
    endLeases: async (workerUuid) => {
      endAll.run(workerUuid);
    },
  };
}
