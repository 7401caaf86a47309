import { z } from "zod";
import { Count, Fence, FrameNumber, Sha256, SlotName, Timestamp } from "../names.ts";
import { plainRecord } from "../plain-record.ts";
import { Policy } from "./policy.ts";

/** A fault of the evidence. `path` names the file and, after `#`, the place in it. */
export const Finding = z.strictObject({
  code: z.string().max(64).describe("a finding code of the catalogue"),
  severity: z.enum(["reject", "undecided", "warning"]),
  blame: z.enum(["slot", "both", "job", "gateway", "none"]),
  slot: SlotName.nullable(),
  frame: FrameNumber.nullable(),
  path: z.string().max(500),
  expected: z.string().max(500).nullable(),
  actual: z.string().max(500).nullable(),
});
export type Finding = z.infer<typeof Finding>;

export const VERDICTS = ["accepted", "rejected", "undecided"] as const;

export const SlotProvenance = z.strictObject({
  worker_uuid: z.string().max(200),
  operator: z.string().max(200).nullable(),
  fencing_token: Fence,
  version_num: Count,
  created_at: z.string().max(40),
  receipt_sha256: Sha256,
  bundle_sha256: Sha256,
  blender_version: z.string().max(40),
  containment: z.string().max(40),
});
export type SlotProvenance = z.infer<typeof SlotProvenance>;

/**
 * What the frames look like, always there: levels and shares in parts per million of the whole (docs/CONTENT.md).
 * Frames and neighbours are in the order of the range; `seam` is null where a slot has no two frames to compare.
 */
export const ContentFigures = z.strictObject({
  frames: z.array(
    z.strictObject({
      frame: FrameNumber,
      constant: z.boolean(),
      transparent: z.boolean(),
      luma_mean_ppm: Count,
      luma_deviation_ppm: Count,
      luma_lowest_ppm: Count,
      luma_highest_ppm: Count,
      alpha_mean_ppm: Count,
      magenta_ppm: Count,
    }),
  ),
  neighbours: z.array(
    z.strictObject({ from: FrameNumber, to: FrameNumber, same_pixels: z.boolean(), difference_ppm: Count }),
  ),
  seam: z.strictObject({ difference_ppm: Count, within_slots_ppm: Count }).nullable(),
});
export type ContentFigures = z.infer<typeof ContentFigures>;

/** `join-report.json`. Frame order is the order of the range. */
export const JoinReport = z.strictObject({
  schema: z.literal("render_handoff.join_report.v1"),
  verdict: z.enum(VERDICTS),
  job_id: z.string().max(64).nullable(),
  job_sha256: Sha256.nullable(),
  gateway_id: z.string().max(200).nullable(),
  policy: Policy,
  anchored: z
    .strictObject({ job: z.boolean(), gateway: z.boolean() })
    .describe("true where the checker expected this very one, and it was compared"),
  findings: z.array(Finding),
  frames: z.array(
    z.strictObject({
      frame: FrameNumber,
      slot: SlotName,
      member: z.string(),
      bytes: Count,
      sha256: Sha256,
      pixels_sha256: Sha256,
    }),
  ),
  content: ContentFigures,
  provenance: z.strictObject({ a: SlotProvenance.nullable(), b: SlotProvenance.nullable() }),
  evidence: z.array(z.strictObject({ path: z.string(), sha256: Sha256, bytes: Count })),
  timings_ms: plainRecord(z.record(z.string(), Count)),
  created_at: Timestamp,
  tool_version: z.string(),
});
export type JoinReport = z.infer<typeof JoinReport>;
