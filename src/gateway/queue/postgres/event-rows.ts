import { readEvent, readPlace, readTask, TASK } from "../read-rows.ts";
import type { WriteRows } from "../store.ts";
import type { Ask } from "./ask.ts";
import { eventValues, insertEvent } from "./told-events.ts";

type EventRows = Pick<
  WriteRows,
  "insertEvent" | "eventsAfter" | "eventBounds" | "leasedTasks" | "pruneEvents"
>;

/**
 * Ids are given out before transactions commit, so one that commits late would appear behind a reader. Events
 * are therefore read in the order of their transactions, and only those below the oldest one that still runs:
 * nothing can appear before them any more.
 */
export const SETTLED = "tx < pg_snapshot_xmin(pg_current_snapshot())::text::bigint";
const BATCH = 5_000;

const INSERT = { name: "insert_event", text: insertEvent(1) };
const AFTER = {
  name: "events_after",
  text: `SELECT * FROM events WHERE (tx, id) > ($1::bigint, $2::bigint) AND ${SETTLED} ORDER BY tx, id LIMIT $3`,
};
const FIRST = { name: "first_event", text: "SELECT tx, id FROM events ORDER BY tx, id LIMIT 1" };
const LAST = {
  name: "last_event",
  text: `SELECT tx, id FROM events WHERE ${SETTLED} ORDER BY tx DESC, id DESC LIMIT 1`,
};
const LEASED = {
  name: "leased_tasks",
  text: `SELECT ${TASK} FROM leased JOIN tasks USING (seq) WHERE expires_at > $1 ORDER BY worker_id LIMIT $2`,
};
const PRUNE_MANY = {
  name: "prune_many_events",
  text: `DELETE FROM events WHERE (tx, id) IN (SELECT tx, id FROM events WHERE (tx, id) <=
     (SELECT tx, id FROM events ORDER BY tx DESC, id DESC LIMIT 1 OFFSET $1) ORDER BY tx, id LIMIT ${BATCH})`,
};
// old ones are at the beginning: nothing behind a batch is looked at
const PRUNE_OLD = {
  name: "prune_old_events",
  text: `DELETE FROM events WHERE (tx, id) IN (SELECT tx, id FROM
     (SELECT tx, id, at FROM events ORDER BY tx, id LIMIT ${BATCH}) AS oldest WHERE at < $1)`,
};

export const eventRows = (ask: Ask): EventRows => ({
  insertEvent: async (event) => {
    // not waited for: it costs no journey, and should it fail, COMMIT is answered with ROLLBACK
    ask.changed(INSERT, eventValues(event)).catch(() => {});
  },
  eventsAfter: ({ tx, id }, limit) => ask.many(AFTER, readEvent, [tx, id, limit]),
  eventBounds: async () => {
    const [first, last] = await Promise.all([ask.one(FIRST, readPlace, []), ask.one(LAST, readPlace, [])]);
    return first === null || last === null ? null : { first, last };
  },
  leasedTasks: (now, limit) => ask.many(LEASED, readTask, [now, limit]),
  pruneEvents: async ({ keep, before }) =>
    (await ask.changed(PRUNE_MANY, [keep])) + (await ask.changed(PRUNE_OLD, [before])),
});
