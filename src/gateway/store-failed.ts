import { HandoffError, systemCode } from "../core/error.ts";

/** A failure of the disk as GATEWAY_STORE_FAILED; errors of ours stay as they are. */
export const storeFailed = (thrown: unknown): HandoffError =>
  thrown instanceof HandoffError
    ? thrown
    : new HandoffError("GATEWAY_STORE_FAILED", `${systemCode(thrown) ?? "unknown"}.`, { cause: thrown });
