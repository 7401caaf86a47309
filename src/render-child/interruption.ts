import { HandoffError } from "../core/error.ts";

/** The error of an aborted signal: its reason where that is one of ours, else INTERRUPTED. */
export const interruption = (signal: AbortSignal): HandoffError =>
  signal.reason instanceof HandoffError
    ? signal.reason
    : new HandoffError("INTERRUPTED", typeof signal.reason === "string" ? `(${signal.reason})` : undefined);
