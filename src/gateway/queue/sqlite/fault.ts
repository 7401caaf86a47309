import { HandoffError, systemCode } from "../../../core/error.ts";

/** SQLite's primary result codes for a file that is no database of ours. */
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** SQLite's own error as GATEWAY_STORE_FAILED or GATEWAY_DATA_INVALID; anything else as it is. */
export function sqliteFault(thrown: unknown): unknown {
  if (systemCode(thrown) !== "ERR_SQLITE_ERROR" || !(thrown instanceof Error)) return thrown;
  const code = primaryCode(thrown);
  return new HandoffError(
    code === CORRUPT || code === NOT_A_DATABASE ? "GATEWAY_DATA_INVALID" : "GATEWAY_STORE_FAILED",
    `SQLite: ${thrown.message}.`,
    { cause: thrown },
  );
}

/** Out of memory, read-only, I/O error, corrupt, full, cannot open: the next write may meet the same. */
const DOUBTFUL = new Set([7, 8, 10, CORRUPT, 13, 14]);

/** Whether a failed write says something about the disk and not about the statement. */
export const tellsOfTheDisk = (thrown: unknown): boolean => DOUBTFUL.has(primaryCode(thrown) ?? 0);

/** The low byte of an extended result code; null when it is no error of SQLite. */
export const primaryCode = (thrown: unknown): number | null =>
  thrown instanceof Error && "errcode" in thrown && typeof thrown.errcode === "number"
    ? thrown.errcode & 0xff
    : null;
