import type { HandoffError } from "../../core/error.ts";

/** Resolves once every write has changed something; the first, in order, that has not decides what is thrown. */
export function conclusion(writes: readonly Promise<unknown>[], refusal: () => HandoffError): Promise<void> {
  const concluded = Promise.allSettled(writes).then((outcomes) => {
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") throw outcome.reason;
      if (outcome.value === 0) throw refusal();
    }
  });
  // the store awaits it; until then it is nobody's fault
  concluded.catch(() => {});
  return concluded;
}
