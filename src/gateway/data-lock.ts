import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HandoffError } from "../core/error.ts";
import { primaryCode, sqliteFault } from "./queue/sqlite/fault.ts";

const BUSY = 5;

export interface DataLock {
  release(): void;
}

/**
 * Rule 8: one process owns a data folder. The lock is an open exclusive transaction on a file of its own,
 * so the kernel frees it however the process ends. Throws GATEWAY_DATA_LOCKED.
 */
export function lockDataFolder(folder: string): DataLock {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(join(folder, "lock.sqlite"), { timeout: 0 });
    db.exec("BEGIN EXCLUSIVE");
  } catch (thrown) {
    db?.close();
    if (primaryCode(thrown) === BUSY) throw new HandoffError("GATEWAY_DATA_LOCKED", `${folder}.`);
    throw sqliteFault(thrown);
  }
  const held = db;
  return { release: () => held.close() };
}
