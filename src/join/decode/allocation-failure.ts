import { systemCode } from "../../core/system-code.ts";

/** Whether memory could not be had: says nothing about what it was wanted for. */
export const isAllocationFailure = (thrown: unknown): boolean =>
  thrown instanceof RangeError ||
  systemCode(thrown) === "ERR_MEMORY_ALLOCATION_FAILED" ||
  (thrown instanceof Error && thrown.cause !== undefined && isAllocationFailure(thrown.cause));
