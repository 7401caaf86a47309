import { HandoffError } from "../../core/error.ts";
import type { Call } from "./call.ts";

/** The token's worker. */
export function workerOf(call: Call): string {
  if (call.principal?.role !== "worker") throw new HandoffError("role_forbidden");
  return call.principal.workerUuid;
}
