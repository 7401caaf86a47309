import type { Slot } from "./flow.ts";

/** `task_id` of a slot, and the key of the object that its accepted submit publishes. */
export const slotTaskId = (jobId: string, slot: Slot): string => `${jobId}.${slot}`;

/** Key of the object that holds the verdicts on a job. */
export const joinKey = (jobId: string): string => `${jobId}.join`;
