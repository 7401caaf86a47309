import { HandoffError } from "../../src/core/error.ts";

/** Code of the HandoffError that a call throws or rejects with; null when it does neither. */
export function codeOf(call: () => unknown): string | null {
  try {
    call();
    return null;
  } catch (thrown) {
    if (thrown instanceof HandoffError) return thrown.code;
    throw thrown;
  }
}

export async function codeOfPromise(promise: Promise<unknown>): Promise<string | null> {
  try {
    await promise;
    return null;
  } catch (thrown) {
    if (thrown instanceof HandoffError) return thrown.code;
    throw thrown;
  }
}
