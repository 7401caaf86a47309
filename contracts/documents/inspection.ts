import { z } from "zod";
import { Count, Sha256 } from "../names.ts";

export const INSPECTION_VERDICTS = ["ok", "reject", "undecided"] as const;

/** What `join inspect` says of one file. `path` of a finding or frame is a place in that file; "" is all of it. */
export const Inspection = z.strictObject({
  schema: z.literal("render_handoff.inspection.v1"),
  file: z.string().describe("as it was given; bytes that are not UTF-8 are replaced"),
  kind: z.enum(["png", "bundle", "unknown"]),
  verdict: z.enum(INSPECTION_VERDICTS),
  findings: z.array(
    z.strictObject({
      code: z.string().max(64).describe("a finding code of the catalogue"),
      severity: z.enum(["reject", "undecided", "warning"]),
      path: z.string().max(500),
      expected: z.string().max(500).nullable(),
      actual: z.string().max(500).nullable(),
    }),
  ),
  frames: z
    .array(
      z.strictObject({
        path: z.string().max(500),
        width: Count,
        height: Count,
        bit_depth: z.union([z.literal(8), z.literal(16)]),
        color_type: z.union([z.literal(0), z.literal(2), z.literal(6)]),
        bytes: Count,
        sha256: Sha256,
        pixels_sha256: Sha256.describe("png-rows-v1"),
        canonical: z.boolean(),
      }),
    )
    .describe("every frame that passed: the file itself, or the PNG members of a bundle"),
});
export type Inspection = z.infer<typeof Inspection>;
