import { z } from "zod";
import { KEPT_KEYWORDS } from "../kept-keywords.ts";
import { Fence, FrameNumber, Sha256, SlotName, TaskId } from "../names.ts";

export { KEPT_KEYWORDS };

const KeptKeyword = z.enum(KEPT_KEYWORDS);
export type KeptKeyword = z.infer<typeof KeptKeyword>;

/** What `render-child --keep-metadata` writes on the worker's own disk; no part of a bundle or a digest. */
export const FrameMetadata = z.strictObject({
  schema: z.literal("render_handoff.frame_metadata.v1"),
  job_sha256: Sha256,
  task_id: TaskId,
  slot: SlotName,
  fencing_token: Fence,
  frames: z
    .array(
      z.strictObject({
        frame: FrameNumber,
        text: z
          .partialRecord(KeptKeyword, z.string().min(1).max(64))
          .describe("value by keyword, as Blender wrote it"),
        withheld: z
          .array(KeptKeyword)
          .describe("keywords whose value was not of their form, or looked like a path or a host's name"),
      }),
    )
    .max(100_000),
});
export type FrameMetadata = z.infer<typeof FrameMetadata>;
