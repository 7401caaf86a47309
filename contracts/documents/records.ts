import { z } from "zod";
import { JsonValue } from "../json-value.ts";
import { CheckerUuid, Count, GatewayId, Label, Positive, TaskId, Timestamp, WorkerUuid } from "../names.ts";

export const TASK_STATES = ["ready", "leased", "done"] as const;

/** A task as `GET /q/task/{id}` and `GET /q/tasks` tell it. `worker_id` is the holder or the winner. */
export const TaskRecord = z.strictObject({
  schema: z.literal("render_handoff.task_record.v1"),
  task_id: TaskId,
  state: z.enum(TASK_STATES),
  version: Positive,
  fencing_token: Count,
  claims: Count.describe("claims of this version"),
  worker_id: WorkerUuid.nullable(),
  lease_expires_at: Timestamp.nullable(),
  lease_seconds: Positive,
  progress: JsonValue.nullable(),
  payload: JsonValue,
});
export type TaskRecord = z.infer<typeof TaskRecord>;

/** A worker as registered. `operator` is the person who answers for it. */
export const WorkerRecord = z.strictObject({
  schema: z.literal("render_handoff.worker_record.v1"),
  worker_uuid: WorkerUuid,
  name: Label,
  operator: Label.nullable(),
  public_key: z.string().max(2_000).nullable(),
  created_at: Timestamp,
  revoked_at: Timestamp.nullable(),
});
export type WorkerRecord = z.infer<typeof WorkerRecord>;

export const CheckerRecord = z.strictObject({
  schema: z.literal("render_handoff.checker_record.v1"),
  checker_uuid: CheckerUuid,
  name: Label,
  created_at: Timestamp,
  revoked_at: Timestamp.nullable(),
});
export type CheckerRecord = z.infer<typeof CheckerRecord>;

/** `/.well-known/render-handoff`. */
export const WellKnown = z.strictObject({
  gateway_id: GatewayId,
  api: z.literal("render-handoff/1"),
  keys: z.array(JsonValue),
});
export type WellKnown = z.infer<typeof WellKnown>;

/** RFC 9457 problem document; `type` is `urn:render-handoff:error:<code>`. */
export const Problem = z.object({
  type: z.string().regex(/^urn:render-handoff:error:[a-z_]+$/),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
});
export type Problem = z.infer<typeof Problem>;
export const PROBLEM_TYPE = "urn:render-handoff:error:";
