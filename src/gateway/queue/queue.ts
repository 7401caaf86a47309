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
  readonly faultPoint: (name: FaultPoint) => void;
}
