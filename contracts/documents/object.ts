import { z } from "zod";
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
  payload: z.json(),
  built_on_edges: z.array(Edge),
  gateway_id: GatewayId,
  fencing_token: Fence,
  receipt_sha256: Sha256,
});
export type ObjectEnvelope = z.infer<typeof ObjectEnvelope>;

/** Fields that must be there and equal in both reads of an object. */
export const STABLE_FIELDS = [
  "schema",
  "object_key",
  "version_num",
  "category",
  "producer_agent",
  "worker_uuid",
  "source_task_id",
  "sha256_hash",
  "payload_hash_mode",
  "payload_sha256_verified",
  "payload_json_valid",
  "integrity_status",
  "total_payload_bytes",
  "created_at",
  "payload",
  "built_on_edges",
  "gateway_id",
  "fencing_token",
  "receipt_sha256",
] as const;

/** Fields of an edge that are stable; the others tell of newer versions and may move. */
export const STABLE_EDGE_FIELDS = [
  "target_object_key",
  "relation_kind",
  "pinned_version_num",
  "pinned_sha256",
] as const;

/** Must equal `version_num` in both reads: a newer version is `JOIN_PROVENANCE_SUPERSEDED`. */
export const LATEST_FIELD = "version_count";
