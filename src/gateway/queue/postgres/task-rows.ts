import { integer } from "../columns.ts";
import { readTask, TASK } from "../read-rows.ts";
import type { WriteRows } from "../store.ts";
import type { Ask, Statement } from "./ask.ts";
import { LEASED_BY_FIRST } from "./people-rows.ts";
import { eventValues, insertEvent } from "./told-events.ts";

type TaskRows = Pick<
  WriteRows,
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
const HELD = "task_id = $1 AND state = 'leased' AND worker_id = $2 AND fence = $3 AND expires_at > $4";
export const FREED =
  "state = 'ready', worker_id = NULL, claimed_at = NULL, expires_at = NULL, progress = NULL";
/** What a restore has kept for tasks that are new or reopened; null in a store that never was restored. */
export const FENCE_FLOOR = "(SELECT value::bigint FROM meta WHERE name = 'fence_floor')";

/** A filter by state in which a lease that has ended counts as ready. */
const list = (name: string, where: string, newestFirst: boolean): Statement => ({
  name: newestFirst ? `${name}_newest` : name,
  text: `SELECT ${TASK} FROM tasks WHERE ${where}
   AND ($1::text IS NULL
    OR ($1 = 'ready' AND (state = 'ready' OR (state = 'leased' AND expires_at <= $2::bigint)))
    OR ($1 = 'leased' AND state = 'leased' AND expires_at > $2)
    OR ($1 = 'open' AND state <> 'done') OR ($1 = 'done' AND state = 'done'))
   AND ($3::text IS NULL OR slot = $3) AND ($4::text IS NULL OR job_id = $4)
   AND seq ${newestFirst ? "<" : ">"} COALESCE((SELECT seq FROM tasks WHERE task_id = $5), ${newestFirst ? "9223372036854775807" : "0"})
   ORDER BY seq ${newestFirst ? "DESC" : "ASC"} LIMIT $6`,
});
// done tasks, however many, are never walked in search of open ones or of a job's two
const lists = (newestFirst: boolean) => ({
  all: list("tasks_all", "TRUE", newestFirst),
  open: list("tasks_open", "result IS NULL", newestFirst),
  ofJob: list("tasks_of_job", "job_id = $4", newestFirst),
});
const OLDEST = lists(false);
const NEWEST = lists(true);
const SIBLING = { name: "sibling", text: `SELECT ${TASK} FROM tasks WHERE job_id = $1 AND slot <> $2` };
const INSERT = {
  name: "insert_task",
  text: `INSERT INTO tasks(task_id, payload, job_id, slot, lease_seconds, slot_seconds, max_claims, distinct_by,
   bundle_bytes, fence) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, COALESCE(${FENCE_FLOOR}, 0))`,
};
const ENDED = "DELETE FROM leased USING changed WHERE leased.seq = changed.seq";
const TAKE = {
  name: "take_task",
  text: `WITH told AS (${insertEvent(7)}) SELECT take_task($1, $2, $3, $4, $5, $6)`,
};
const EXTEND = {
  name: "extend_lease",
  text: `UPDATE tasks SET expires_at = LEAST($4 + lease_seconds, claimed_at + COALESCE(slot_seconds, 1000000000)),
   progress = COALESCE($5, progress) WHERE ${HELD} RETURNING expires_at`,
};
const freed = (where: string): string =>
  `WITH changed AS (UPDATE tasks SET ${FREED} WHERE ${where} RETURNING seq), ended AS (${ENDED}) SELECT 1 FROM changed`;
const FREE = { name: "release_lease", text: freed(HELD) };
const REASON = {
  name: "reason",
  text: `INSERT INTO reasons(task_id, kind, version, fence, reason, at)
   SELECT task_id, $2::text, version, fence, $3::text, $4::bigint FROM tasks WHERE task_id = $1`,
};
const FINISH = { name: "finish_task", text: "SELECT finish_task($1, $2, $3, $4, $5)" };
const AGAIN = {
  name: "reopen_task",
  text: `WITH changed AS (UPDATE tasks SET ${FREED}, result = NULL, claims = 0, version = version + 1,
    fence = GREATEST(fence, ${FENCE_FLOOR})
    WHERE task_id = $1 AND (state = 'done' OR (claims >= max_claims AND (state = 'ready' OR expires_at <= $2)))
    RETURNING seq), ended AS (${ENDED}) SELECT 1 FROM changed`,
};
const END_ALL = { name: "end_leases", text: freed(LEASED_BY_FIRST) };

export const taskRows = (ask: Ask): TaskRows => ({
  sibling: (task) => ask.one(SIBLING, readTask, [task.jobId, task.slot]),
  tasks: ({ state, slot, jobId, newestFirst, after, limit }, now) => {
    const open = state === "ready" || state === "leased" || state === "open";
    const from = newestFirst ? NEWEST : OLDEST;
    const statement = jobId !== null ? from.ofJob : open ? from.open : from.all;
    return ask.many(statement, readTask, [state, now, slot, jobId, after, limit]);
  },
  insertTask: async (task) => {
    await ask.changed(INSERT, [
      task.taskId,
      task.payload,
      task.jobId,
      task.slot,
      task.leaseSeconds,
      task.slotSeconds,
      task.maxClaims,
      task.distinct,
      task.bundleBytes,
    ]);
  },
  takeTask: ({ taskId, workerId, fence, now, expiresAt }, key, told) =>
    ask.guarded(TAKE, [taskId, workerId, fence, now, expiresAt, key, ...eventValues(told)]),
  extendLease: async ({ taskId, workerId, fence }, now, progress) =>
    ask.written(EXTEND, (row) => integer(row, "expires_at"), [taskId, workerId, fence, now, progress]),
  releaseLease: async ({ taskId, workerId, fence }, now, why) => {
    const count = await ask.changed(FREE, [taskId, workerId, fence, now]);
    if (count > 0) await ask.changed(REASON, [taskId, "release", why, now]);
    return count;
  },
  finishTask: ({ taskId, workerId, fence }, now, result) =>
    ask.guarded(FINISH, [taskId, workerId, fence, now, result]),
  reopenTask: async (taskId, now, why) => {
    const count = await ask.changed(AGAIN, [taskId, now]);
    if (count > 0) await ask.changed(REASON, [taskId, "reopen", why, now]);
    return count;
  },
  endLeases: async (workerUuid) => {
    await ask.changed(END_ALL, [workerUuid]);
  },
});
