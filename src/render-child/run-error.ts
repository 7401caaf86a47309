import { asHandoffError, HandoffError, systemCode } from "../core/error.ts";
import { sqliteCode } from "../gateway-client/sqlite-code.ts";

/** What a fault of this machine means to a run: the disk is full, or the state folder cannot be used. */
export function asRunError(thrown: unknown): HandoffError {
  if (thrown instanceof HandoffError) return thrown;
  const code = systemCode(thrown) ?? "";
  const sqlite = code === "ERR_SQLITE_ERROR" ? sqliteCode(thrown) : null;
  const full = code === "ENOSPC" || code === "EDQUOT" || sqlite === "full";
  if (full) return new HandoffError("RENDER_DISK_FULL", `(${code})`, { cause: thrown });
  if (sqlite !== null || /^E[A-Z0-9]+$/.test(code))
    return new HandoffError("STATE_UNUSABLE", thrown instanceof Error ? thrown.message : code, {
      cause: thrown,
    });
  return asHandoffError(thrown);
}
