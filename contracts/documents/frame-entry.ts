import { z } from "zod";
import { FRAME_NAME, FrameNumber, Positive, Sha256 } from "../names.ts";

/** One frame as manifest and result state it. `color_type` is PNG's: 0 grey, 2 RGB, 6 RGBA. */
export const FrameEntry = z.strictObject({
  frame: FrameNumber,
  member: z.string().regex(FRAME_NAME),
  bytes: Positive,
  sha256: Sha256,
  width: Positive,
  height: Positive,
  bit_depth: z.union([z.literal(8), z.literal(16)]),
  color_type: z.union([z.literal(0), z.literal(2), z.literal(6)]),
  pixels: z.strictObject({ algorithm: z.literal("png-rows-v1"), sha256: Sha256 }),
});
export type FrameEntry = z.infer<typeof FrameEntry>;

export { COLOR_TYPE } from "../frame-names.ts";
