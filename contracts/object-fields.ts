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
