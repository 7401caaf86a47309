import { z } from "zod";
import { Count, Positive, Sha256, SlotName } from "../names.ts";
import { FrameEntry } from "./frame-entry.ts";

/** The `result` of a slot's submit. `wall_ms` and `peak_rss_bytes` are Blender's own, 0 where unknown. */
export const SlotResult = z.strictObject({
  schema: z.literal("render_handoff.slot_result.v1"),
  job_sha256: Sha256,
  slot: SlotName,
  bundle: z.strictObject({ sha256: Sha256, bytes: Positive }),
  manifest_sha256: Sha256,
  frames: z.array(FrameEntry).min(1).max(10_000),
  render: z.strictObject({ wall_ms: Count, peak_rss_bytes: Count, reused: z.boolean() }),
});
export type SlotResult = z.infer<typeof SlotResult>;
