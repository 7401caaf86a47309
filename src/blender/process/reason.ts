import { CATALOGUE, type ErrorCode, isCode } from "../../../contracts/catalogue.ts";
import { HandoffError } from "../../core/error.ts";

/** The code for which a signal was aborted; INTERRUPTED when its reason is no code of an error. */
export function reasonOf(signal: AbortSignal): ErrorCode {
  const reason: unknown = signal.reason;
  const code = reason instanceof HandoffError ? reason.code : reason;
  return typeof code === "string" && isErrorCode(code) ? code : "INTERRUPTED";
}

const isErrorCode = (code: string): code is ErrorCode => isCode(code) && CATALOGUE[code].kind === "error";
