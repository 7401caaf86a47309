import { z } from "zod";
import { JsonValue } from "../../../contracts/json-value.ts";
import { Count, Positive, Sha256 } from "../../../contracts/names.ts";

const Text = z.string().min(1).max(400);
/** RFC 3339 UTC; a recorded gateway writes fractions of seconds. */
const Moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/);

/** An object as the recorded gateway tells it; any worker id that is not empty, other fields ignored. */
export const RecordedObject = z.object({
  schema: z.literal("herma.priority_work_gateway.object.v1"),
  object_key: Text,
  version_num: Positive,
  version_count: Positive,
  category: Text,
  producer_agent: Text,
  worker_uuid: Text,
  source_task_id: Text,
  sha256_hash: Sha256,
  payload_hash_mode: z.literal("payload_sha256"),
  payload_sha256_verified: z.boolean(),
  payload_json_valid: z.boolean(),
  integrity_status: Text,
  total_payload_bytes: Count,
  created_at: Moment,
  payload: JsonValue,
  built_on_edges: z.array(
    z.object({
      target_object_key: Text,
      relation_kind: Text,
      pinned_version_num: Positive,
      pinned_sha256: Sha256,
    }),
  ),
});

/** A task with its objects as the recorded gateway's look-up tells them: to read, never to verify. */
export const RecordedLookup = z.object({
  ok: z.literal(true),
  lookup_id: Text,
  task: z.object({
    task_id: Text,
    state: Text,
    fencing_token: Count.optional(),
    completed_by: Text.nullable(),
    created_at: Moment,
  }),
  objects: z.array(
    z.object({
      object_key: Text,
      category: Text,
      producer_agent: Text,
      worker_uuid: Text,
      source_task_id: Text,
      sha256_hash: Sha256,
      version_num: Positive,
      total_payload_bytes: Count,
      created_at: Moment,
    }),
  ),
});
