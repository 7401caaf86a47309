import { DatabaseError } from "pg";
import { HandoffError, systemCode } from "../../../core/error.ts";

/** SQLSTATEs after which the same transaction is simply run again: nothing of it was committed. */
const AGAIN = new Set(["40001", "40P01", "23505"]);
/** A text with U+0000, which no text of PostgreSQL's can hold. */
const NOT_IN_REPERTOIRE = "22021";

/** How a function of ours says that it changed no row. */
const CHANGED_NOTHING = "RH001";

export const changedNothing = (thrown: unknown): boolean =>
  thrown instanceof HandoffError && systemCode(thrown.cause) === CHANGED_NOTHING;

/** Serialization failure, deadlock, or a row that another transaction inserted first. */
export const mayRunAgain = (thrown: unknown): boolean =>
  thrown instanceof HandoffError && AGAIN.has(systemCode(thrown.cause) ?? "");

/** A statement was prepared for a table that has another shape by now: this connection fails it for ever. */
const STALE_PLAN = "0A000";
export const isStale = (thrown: unknown): boolean =>
  thrown instanceof HandoffError && systemCode(thrown.cause) === STALE_PLAN;

/** The driver says that the connection broke, or the server that it ends it; whatever it was doing is not known to be committed. */
export const isLost = (thrown: unknown): boolean =>
  thrown instanceof HandoffError &&
  thrown.code === "GATEWAY_STORE_FAILED" &&
  thrown.cause !== undefined &&
  (!(thrown.cause instanceof DatabaseError) || /^(08|57P)/.test(thrown.cause.code ?? ""));

/** What the driver throws as GATEWAY_STORE_FAILED (invalid_request_shape for a text that cannot be stored). */
export function postgresFault(thrown: unknown): HandoffError {
  if (thrown instanceof HandoffError) return thrown;
  const code = systemCode(thrown);
  if (code === NOT_IN_REPERTOIRE)
    return new HandoffError("invalid_request_shape", "A text has the character U+0000.", { cause: thrown });
  const message = thrown instanceof Error ? thrown.message : "unknown";
  return new HandoffError("GATEWAY_STORE_FAILED", `PostgreSQL: ${code ?? message}.`, { cause: thrown });
}
