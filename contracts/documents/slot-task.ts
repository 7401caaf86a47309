import { z } from "zod";
import { JobId, Sha256, SlotName } from "../names.ts";

/** Payload of a slot's task. Payloads are a union on `schema`: other kinds of task can follow. */
export const SlotTask = z.strictObject({
  schema: z.literal("render_handoff.slot_task.v1"),
  job_sha256: Sha256,
  job_id: JobId,
  slot: SlotName,
});
export type SlotTask = z.infer<typeof SlotTask>;
