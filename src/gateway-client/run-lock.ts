import { DatabaseSync } from "node:sqlite";
import { LIMITS } from "../../contracts/limits.ts";
import { HandoffError } from "../core/error.ts";
import { sqliteCode } from "./sqlite-code.ts";

export interface RunLock {
  release(): void;
}

/**
 * The lock of a state folder: an open exclusive transaction on a file of its own, which the kernel frees
 * with the process. Null when another run holds it after at most 0.25 s; throws STATE_UNUSABLE.
 */
export function takeRunLock(path: string): RunLock | null {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { timeout: LIMITS.busyWaitMs });
    database.exec("BEGIN EXCLUSIVE");
  } catch (thrown) {
    database?.close();
    if (sqliteCode(thrown) === "busy") return null;
    throw new HandoffError("STATE_UNUSABLE", path, { cause: thrown });
  }
  const held = database;
  return { release: () => held.close() };
}
