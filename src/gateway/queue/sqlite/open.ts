import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../../core/clock.ts";
import { HandoffError } from "../../../core/error.ts";
import { integer, text } from "../columns.ts";
import type { QueueStore } from "../store.ts";
import { allRows } from "./all-rows.ts";
import { sqliteFault } from "./fault.ts";
import { MIGRATIONS } from "./migrations.ts";
import { keepLists } from "./open-tasks.ts";
import { one } from "./statements.ts";
import { SqliteStore } from "./transaction.ts";

export interface SqliteOptions {
  readonly path: string;
  readonly clock: Pick<Clock, "wallSeconds" | "uuid">;
}

const BUSY_MS = 5_000;

/**
 * Opens or makes the queue's database (rule 8): WAL, synchronous FULL, both read back. Throws
 * GATEWAY_DATA_INVALID for a file that is no such database or of a newer version, else
 * GATEWAY_STORE_FAILED.
 */
export function openSqliteStore({ path, clock }: SqliteOptions): QueueStore {
  const db = openDatabase(path);
  try {
    configure(db);
    migrate(db, clock);
    keepLists(db);
    return new SqliteStore(db, allRows(db), clock);
  } catch (thrown) {
    db.close();
    throw sqliteFault(thrown);
  }
}

function openDatabase(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
  } catch (thrown) {
    throw sqliteFault(thrown);
  }
}

function configure(db: DatabaseSync): void {
  const mode = one(db.prepare("PRAGMA journal_mode = WAL"), (row) => text(row, "journal_mode"));
  db.exec("PRAGMA synchronous = FULL");
  const synchronous = one(db.prepare("PRAGMA synchronous"), (row) => integer(row, "synchronous"));
  if (mode !== "wal" || synchronous !== 2)
    throw new HandoffError("GATEWAY_STORE_FAILED", "SQLite does not keep WAL with synchronous FULL here.");
}

function migrate(db: DatabaseSync, clock: SqliteOptions["clock"]): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    db.exec(
      "CREATE TABLE IF NOT EXISTS schema_version(version INTEGER PRIMARY KEY, applied_at INTEGER) STRICT",
    );
    const version =
      one(db.prepare("SELECT COALESCE(MAX(version), 0) AS version FROM schema_version"), (row) =>
        integer(row, "version"),
      ) ?? 0;
    if (version > MIGRATIONS.length)
      throw new HandoffError("GATEWAY_DATA_NEWER", `Schema version ${version}.`);
    const applied = db.prepare("INSERT INTO schema_version(version, applied_at) VALUES (?, ?)");
    MIGRATIONS.slice(version).forEach((step, index) => {
      db.exec(step);
      applied.run(version + index + 1, clock.wallSeconds());
    });
    db.prepare("INSERT INTO meta(name, value) VALUES ('gateway_id', ?) ON CONFLICT DO NOTHING").run(
      `g_${clock.uuid()}`,
    );
    db.exec("COMMIT");
  } catch (thrown) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw thrown;
  }
}
