import type { DatabaseSync } from "node:sqlite";

const FOUND =
  "SELECT seq FROM main.tasks INDEXED BY tasks_open WHERE result IS NULL AND worker_id IS NOT NULL";

/** Of tasks, those that are leased; the lease may have ended. */
export const LEASED =
  "tasks.seq IN (SELECT seq FROM leased) AND tasks.result IS NULL AND tasks.worker_id IS NOT NULL";

/**
 * What is leased, in memory, as it is in the transaction that runs: a claim then changes no index of tasks, which
 * would be one page to flush, and two among many tasks. For the one process that writes.
 */
export function keepLeased(db: DatabaseSync): void {
  db.exec(`PRAGMA temp_store = MEMORY;
    CREATE TEMP TABLE leased(seq INTEGER PRIMARY KEY);
    INSERT INTO leased ${FOUND};
    CREATE TEMP TRIGGER leased_now AFTER UPDATE OF worker_id, result ON main.tasks BEGIN
      DELETE FROM leased WHERE seq = NEW.seq;
      INSERT INTO leased SELECT NEW.seq WHERE NEW.result IS NULL AND NEW.worker_id IS NOT NULL;
    END`);
}

/** The same for a process that only reads: whatever is open is looked at. */
export function findLeased(db: DatabaseSync): void {
  db.exec(`CREATE TEMP VIEW leased AS ${FOUND}`);
}
