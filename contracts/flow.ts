/** Steps of a handoff, in order: file names, log fields, metric labels and prefixes of error codes. */
export const STEPS = ["claim", "render", "bundle", "upload", "submit", "join"] as const;
export type Step = (typeof STEPS)[number];

/** Slots of a handoff; version 1 has exactly these two, in this order. */
export const SLOTS = ["a", "b"] as const;
export type Slot = (typeof SLOTS)[number];
