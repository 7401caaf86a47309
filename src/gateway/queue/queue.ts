import type { QueueStore } from "./store.ts";

/** Rule 7: where a test may end the process. */
export const FAULT_POINTS = [
  "claim_after_update",
  "claim_before_commit",
  "claim_after_commit",
  "submit_after_result",
  "submit_after_receipt",
  "submit_before_commit",
  "submit_after_commit",
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];

/** What the verbs of the queue work on. */
export interface Queue {
  readonly store: QueueStore;
  /** Null: nobody stands between two writes, and the store may send the last of them with their commit. */
  readonly faultPoint: ((name: FaultPoint) => void) | null;
}

/** Somebody at a fault point stands behind the write that its name says: the store has taken it by then. */
export async function reach(queue: Queue, name: FaultPoint, written: Promise<unknown>): Promise<void> {
  if (queue.faultPoint === null) return;
  await written;
  queue.faultPoint(name);
}
