import { z } from "zod";
import { STEPS } from "../flow.ts";
import { Count, Fence, Sha256, SlotName, TaskId, Timestamp } from "../names.ts";
import { plainRecord } from "../plain-record.ts";

/** How a run of render-child ended; the first five are no failures (exit 0). */
export const OUTCOMES = ["completed", "deferred", "held", "no_due_job", "busy", "failed"] as const;

/** What one run of render-child prints. `reason` is a code of the catalogue or null. */
export const ChildResult = z.strictObject({
  schema: z.literal("render_handoff.child_result.v1"),
  outcome: z.enum(OUTCOMES),
  reason: z.string().max(64).nullable(),
  message: z.string().max(2_000).nullable(),
  details: z.array(z.string().max(500)).max(40).describe("findings or the last lines of Blender's log"),
  slot: SlotName,
  task_id: TaskId.nullable(),
  fencing_token: Fence.nullable(),
  next_due_utc: Timestamp.nullable(),
  transport_attempts: plainRecord(z.partialRecord(z.enum(STEPS), Count)),
  timings_ms: plainRecord(z.record(z.string(), Count)),
  bundle_sha256: Sha256.nullable(),
  reused: z.boolean(),
});
export type ChildResult = z.infer<typeof ChildResult>;
