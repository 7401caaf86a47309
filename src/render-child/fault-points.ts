/** Named points of a run at which tests end it, in the order in which a run comes to them. */
export const FAULT_POINTS = [
  "after_claim",
  "after_scene",
  "during_render",
  "during_save",
  "after_render",
  "after_check",
  "after_bundle",
  "after_outbox",
  "during_upload",
  "after_upload",
  "after_submit_sent",
  "after_receipt",
  "during_cleanup",
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];

/** Those that only Blender or the network comes to; at all others the run itself stops for `faultPoint`. */
export const OUTSIDE_POINTS = ["during_render", "during_save", "during_upload", "after_submit_sent"] as const;
export type RunPoint = Exclude<FaultPoint, (typeof OUTSIDE_POINTS)[number]>;
