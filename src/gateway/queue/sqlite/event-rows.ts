import type { DatabaseSync } from "node:sqlite";
import { integer } from "../columns.ts";
import { readEvent, readPlace, readTask, TASK } from "../read-rows.ts";
import type { NewEvent } from "../rows.ts";
import type { WriteRows } from "../store.ts";
import { LEASED } from "./open-tasks.ts";
import { changed, many, one } from "./statements.ts";

type EventRows = Pick<
  WriteRows,
  "insertEvent" | "eventsAfter" | "eventBounds" | "leasedTasks" | "pruneEvents"
>;

/** Rows that one prune removes at most: it shares the one connection with everything else. */
const BATCH = 5_000;

/** Writers take turns here, so ids alone are in the order of the commits. */
export function tellOn(db: DatabaseSync): (event: NewEvent) => void {
  const insert = db.prepare(
    "INSERT INTO events(at, kind, task_id, job_id, worker_uuid, detail) VALUES (?, ?, ?, ?, ?, ?)",
  );
  return (event) => {
    insert.run(event.at, event.kind, event.taskId, event.jobId, event.workerUuid, event.detail);
  };
}

export function eventRows(db: DatabaseSync, tell: (event: NewEvent) => void): EventRows {
  const after = db.prepare("SELECT 0 AS tx, * FROM events WHERE id > ? ORDER BY id LIMIT ?");
  const first = db.prepare("SELECT 0 AS tx, id FROM events ORDER BY id LIMIT 1");
  const last = db.prepare("SELECT 0 AS tx, id FROM events ORDER BY id DESC LIMIT 1");
  const leased = db.prepare(
    `SELECT ${TASK} FROM tasks WHERE ${LEASED} AND expires_at > ? ORDER BY worker_id LIMIT ?`,
  );
  const oldest = db.prepare(`SELECT id, at FROM events ORDER BY id LIMIT ${BATCH}`);
  const prune = db.prepare("DELETE FROM events WHERE id <= ?");
  // ids have no gaps and times only grow, so what goes is at the beginning: nothing behind it is read
  const lastToGo = (keep: number, before: number): number => {
    const newest = one(last, readPlace)?.id ?? 0;
    let found = 0;
    for (const row of oldest.iterate()) {
      const id = integer(row, "id");
      // the newest stays: it is where the next id comes from
      if (id === newest || (id > newest - keep && integer(row, "at") >= before)) break;
      found = id;
    }
    return found;
  };
  return {
    insertEvent: async (event) => tell(event),
    eventsAfter: async ({ id }, limit) => many(after, readEvent, id, limit),
    eventBounds: async () => {
      const [oldest, newest] = [one(first, readPlace), one(last, readPlace)];
      return oldest === null || newest === null ? null : { first: oldest, last: newest };
    },
    leasedTasks: async (now, limit) => many(leased, readTask, now, limit),
    pruneEvents: async ({ keep, before }) => changed(prune, lastToGo(keep, before)),
  };
}
