import { DatabaseSync } from "node:sqlite";
import { HandoffError } from "../core/error.ts";

/** How long a statement waits for another process's write. */
const BUSY_MS = 5_000;

/**
 * Opens or makes a SQLite file whose commits are durable when they return, with these tables at this version.
 * Throws STATE_UNUSABLE for a file of another version or one that cannot be made durable.
 */
export function openDatabase(options: { path: string; version: number; tables: string }): DatabaseSync {
  const { path } = options;
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    const mode = database.prepare("PRAGMA journal_mode").get()?.["journal_mode"];
    const level = database.prepare("PRAGMA synchronous").get()?.["synchronous"];
    if (mode !== "wal" || level !== 2)
      throw new HandoffError("STATE_UNUSABLE", `${path}: not durable (${String(mode)}, ${String(level)})`);
    makeTables(database, options);
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

function makeTables(
  database: DatabaseSync,
  { path, version, tables }: { path: string; version: number; tables: string },
): void {
  if (versionOf(database) === version) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // read again under the lock: another process may have made them
    const found = versionOf(database);
    if (found !== version && found !== 0)
      throw new HandoffError("STATE_UNUSABLE", `${path} is of another version (${String(found)})`);
    if (found === 0) database.exec(`${tables} PRAGMA user_version = ${version};`);
    database.exec("COMMIT");
  } catch (thrown) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw thrown;
  }
}

const versionOf = (database: DatabaseSync): unknown =>
  database.prepare("PRAGMA user_version").get()?.["user_version"];
