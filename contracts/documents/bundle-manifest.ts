import { z } from "zod";
import { Fence, JobId, Label, Positive, Sha256, SlotName, TaskId, WorkerUuid } from "../names.ts";
import { FrameEntry } from "./frame-entry.ts";
import { BlenderVersion, DeviceClass, Platform } from "./job.ts";
import { Containment } from "./policy.ts";

/** `manifest.json` of a bundle: JCS bytes, no newline. */
export const BundleManifest = z.strictObject({
  schema: z.literal("render_handoff.bundle_manifest.v1"),
  job_id: JobId,
  job_sha256: Sha256,
  slot: SlotName,
  task_id: TaskId,
  task_version: Positive,
  worker_uuid: WorkerUuid,
  fencing_token: Fence,
  blender: z.strictObject({
    version: BlenderVersion,
    build_hash: z.string().regex(/^([0-9a-f]{6,40}|unknown)$/),
    executable_sha256: Sha256,
    platform: Platform,
  }),
  device: z.strictObject({ class: DeviceClass, name: Label }),
  containment: Containment,
  frames: z.array(FrameEntry).min(1).max(10_000),
});
export type BundleManifest = z.infer<typeof BundleManifest>;
