import { z } from "zod";
import { JsonValue } from "../json-value.ts";
import { Count, Fence, FrameNumber, FreeText, Positive, TaskId, Timestamp, WorkerUuid } from "../names.ts";

/** What a worker sends with every write after a claim. */
const held = { task_id: TaskId, worker_id: WorkerUuid, fencing_token: Fence };

export const EnqueueRequest = z.strictObject({
  task_id: TaskId,
  payload: JsonValue,
  lease_seconds: z.int().min(1).max(604_800),
});
export type EnqueueRequest = z.infer<typeof EnqueueRequest>;
export const EnqueueAnswer = z.strictObject({ task_id: TaskId, created: z.boolean() });

export const ClaimRequest = z.strictObject({ task_id: TaskId, worker_id: WorkerUuid });
export type ClaimRequest = z.infer<typeof ClaimRequest>;
export const ClaimAnswer = z.strictObject({
  ...held,
  lease_expires_at: Timestamp,
  lease_seconds: Positive,
  state: z.literal("leased"),
  version: Positive,
  payload: JsonValue,
});
export type ClaimAnswer = z.infer<typeof ClaimAnswer>;

export const PHASES = ["scene", "start", "render", "check", "bundle", "upload", "submit"] as const;
export const Progress = z.strictObject({
  phase: z.enum(PHASES),
  frame: FrameNumber.nullable(),
  frames_done: Count,
  sample: Count.nullable(),
  samples: Count.nullable(),
  watchdog_left_s: Count.nullable(),
});
export type Progress = z.infer<typeof Progress>;

export const HeartbeatRequest = z.strictObject({ ...held, progress: Progress.nullable() });
export type HeartbeatRequest = z.infer<typeof HeartbeatRequest>;
export const HeartbeatAnswer = z.strictObject({ lease_expires_at: Timestamp, lease_seconds: Positive });
export type HeartbeatAnswer = z.infer<typeof HeartbeatAnswer>;

export const ReleaseRequest = z.strictObject({
  ...held,
  reason: FreeText.min(1).max(64).describe("a code of the catalogue"),
});
export type ReleaseRequest = z.infer<typeof ReleaseRequest>;
export const ReleaseAnswer = z.strictObject({ task_id: TaskId, state: z.literal("ready") });
export type ReleaseAnswer = z.infer<typeof ReleaseAnswer>;

/** Strict JSON with exactly these members; the raw bytes are kept and digested. Other workers' ids may be opaque. */
export const SubmitRequest = z.strictObject({
  task_id: FreeText.min(1),
  worker_id: FreeText.min(1),
  fencing_token: Fence,
  result: JsonValue,
});
export type SubmitRequest = z.infer<typeof SubmitRequest>;

export const ReopenRequest = z.strictObject({
  task_id: TaskId,
  reason: FreeText.min(1).max(500).describe("finding codes"),
  version: Positive.optional().describe("only while this is the current version"),
});
export type ReopenRequest = z.infer<typeof ReopenRequest>;
export const ReopenAnswer = z.strictObject({ task_id: TaskId, state: z.literal("ready"), version: Positive });
export type ReopenAnswer = z.infer<typeof ReopenAnswer>;

export const JobAnswer = z.strictObject({ job_id: z.string(), job_sha256: z.string(), created: z.boolean() });
