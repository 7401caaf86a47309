import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../../core/clock.ts";
import { HandoffError } from "../../../core/error.ts";
import { integer } from "../columns.ts";
import type { QueueReader } from "../store.ts";
import { allRows } from "./all-rows.ts";
import { sqliteFault } from "./fault.ts";
import { MIGRATIONS } from "./migrations.ts";
import { findLeased } from "./open-tasks.ts";
import { one } from "./statements.ts";
import { SqliteStore } from "./transaction.ts";

/**
 * A second connection beside a gateway that serves the file: it cannot write, and each piece of work sees one
 * snapshot (WAL). Throws GATEWAY_DATA_INVALID, GATEWAY_DATA_NEWER, GATEWAY_STORE_FAILED.
 */
export function openSqliteReader(path: string, clock: Pick<Clock, "wallSeconds">): QueueReader {
  const db = openReadOnly(path);
  try {
    const version = schemaVersion(db);
    if (version < MIGRATIONS.length)
      throw new HandoffError("GATEWAY_DATA_INVALID", `Schema version ${version} is from before an upgrade.`);
    findLeased(db);
    const store = new SqliteStore(db, allRows(db), clock);
    return {
      read: (work) =>
        store.read(async (rows) => {
          db.exec("BEGIN");
          try {
            return await work(rows);
          } finally {
            if (db.isTransaction) db.exec("ROLLBACK");
          }
        }),
      close: () => store.close(),
    };
  } catch (thrown) {
    db.close();
    throw sqliteFault(thrown);
  }
}

/** The file as it is, without making one or changing it. */
export function openReadOnly(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  } catch (thrown) {
    throw sqliteFault(thrown);
  }
}

/** The schema's version of a database of ours. Throws GATEWAY_DATA_NEWER where it is above this program's. */
export function schemaVersion(db: DatabaseSync): number {
  const version = one(db.prepare("SELECT MAX(version) AS version FROM schema_version"), (row) =>
    integer(row, "version"),
  );
  if (version === null) throw new HandoffError("GATEWAY_DATA_INVALID", "It has no schema version.");
  if (version > MIGRATIONS.length) throw new HandoffError("GATEWAY_DATA_NEWER", `Schema version ${version}.`);
  return version;
}
