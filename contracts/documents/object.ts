import { z } from "zod";
import { JsonValue } from "../json-value.ts";
import { Count, Fence, GatewayId, Positive, Sha256, TaskId, Timestamp, WorkerUuid } from "../names.ts";

const Edge = z.object({
  target_object_key: z.string().min(1),
  relation_kind: z.string().min(1),
  pinned_version_num: Positive,
  pinned_sha256: Sha256,
});

/** Envelope of an object as this gateway writes it; readers ignore every field that is not listed. */
export const ObjectEnvelope = z.object({
  schema: z.literal("render_handoff.object.v1"),
  object_key: TaskId,
  version_num: Positive,
  version_count: Positive,
  category: z.literal("render_slot_result"),
  producer_agent: z.string().min(1),
  worker_uuid: WorkerUuid,
  source_task_id: TaskId,
  sha256_hash: Sha256,
  payload_hash_mode: z.literal("payload_sha256"),
  payload_sha256_verified: z.boolean(),
  payload_json_valid: z.boolean(),
  integrity_status: z.string().min(1),
  total_payload_bytes: Count,
  created_at: Timestamp,
  payload: JsonValue,
  built_on_edges: z.array(Edge),
  gateway_id: GatewayId,
  fencing_token: Fence,
  receipt_sha256: Sha256,
});
export type ObjectEnvelope = z.infer<typeof ObjectEnvelope>;

export { LATEST_FIELD, STABLE_EDGE_FIELDS, STABLE_FIELDS } from "../object-fields.ts";
