import type { DatabaseSync } from "node:sqlite";

/** Open tasks in the order in which they came: no task that is done is read, but for the few that are listed yet. */
export const OPEN = "open_tasks CROSS JOIN tasks USING (seq) WHERE result IS NULL";
/** Of tasks, those that are leased; the lease may have ended. */
export const LEASED =
  "tasks.seq IN (SELECT seq FROM leased) AND tasks.result IS NULL AND tasks.worker_id IS NOT NULL";

const FOUND = `SELECT seq FROM main.${OPEN} AND worker_id IS NOT NULL`;
const LISTS = ["main.open_tasks", "temp.leased"];
/** Tasks that are done are taken out of the lists so many at a time. */
const TOGETHER = 64;

/**
 * Two lists of tasks that may be open or leased, so that a claim and a submit write no page for them: what is in
 * `open_tasks` by triggers of the schema, and what has been claimed, in memory. Nothing open or leased is ever missing;
 * what is done stays in them for a while. For the one process that writes.
 */
export function keepLists(db: DatabaseSync): void {
  db.exec(`PRAGMA temp_store = MEMORY;
    DELETE FROM open_tasks WHERE (SELECT result FROM tasks WHERE tasks.seq = open_tasks.seq) IS NOT NULL;
    CREATE TEMP TABLE leased(seq INTEGER PRIMARY KEY);
    INSERT INTO leased ${FOUND};
    CREATE TEMP TRIGGER leased_now AFTER UPDATE OF claims ON main.tasks WHEN NEW.worker_id IS NOT NULL BEGIN
      INSERT OR IGNORE INTO leased VALUES (NEW.seq);
    END`);
}

/** The same for a process that only reads: whatever is open is looked at. */
export function findLeased(db: DatabaseSync): void {
  db.exec(`CREATE TEMP VIEW leased AS ${FOUND}`);
}

/**
 * Told of each task that is done, within the transaction that ends it. A task of a transaction that was rolled back is
 * open, and stays listed; one that this process never took out is, when the store is opened next.
 */
export function delistOn(db: DatabaseSync): (seq: number) => void {
  const done: number[] = [];
  return (seq) => {
    if (done.push(seq) < TOGETHER) return;
    const seqs = JSON.stringify(done.splice(0));
    for (const list of LISTS)
      db.prepare(
        `DELETE FROM ${list} WHERE seq IN
         (SELECT tasks.seq FROM json_each(?) JOIN tasks ON tasks.seq = value WHERE result IS NOT NULL)`,
      ).run(seqs);
  };
}
