import { z } from "zod";
import { JsonValue } from "../json-value.ts";
import { CheckerUuid, Count, GatewayId, JobId, Positive, Sha256, TaskId, Timestamp } from "../names.ts";

/** A version of an object and the digest of its payload: what was looked at, and nothing newer. */
export const ObjectPin = z.strictObject({ version_num: Positive, sha256_hash: Sha256 });
export type ObjectPin = z.infer<typeof ObjectPin>;

export const POSTED_VERDICTS = ["accepted", "rejected"] as const;

/**
 * What a checker posts (`POST /q/verdict`) and the payload of the object `<job_id>.join`. `undecided` decides
 * nothing and is never posted.
 */
export const Verdict = z.strictObject({
  schema: z.literal("render_handoff.verdict.v1"),
  gateway_id: GatewayId,
  job_id: JobId,
  job_sha256: Sha256,
  verdict: z.enum(POSTED_VERDICTS),
  report_sha256: Sha256.describe("over the bytes of join-report.json as join writes it"),
  finding_codes: z
    .array(z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/))
    .max(200)
    .describe("codes of all findings of the report, each once, sorted"),
  built_on: z.strictObject({ a: ObjectPin, b: ObjectPin }),
  tool_version: z.string().min(1).max(40),
});
export type Verdict = z.infer<typeof Verdict>;

/** What an object was built on: `pinned_` is what its maker saw, `latest_` what there is now. */
export const BuiltOnEdge = z.object({
  target_object_key: TaskId,
  relation_kind: z.literal("verifies"),
  pinned_version_num: Positive,
  pinned_sha256: Sha256,
  latest_target_version: Positive,
  upstream_newer_version_available: z.boolean(),
});

/** Envelope of a posted verdict; the object of a slot has `render_handoff.object.v1`. */
export const VerdictEnvelope = z.object({
  schema: z.literal("render_handoff.verdict_object.v1"),
  object_key: TaskId,
  version_num: Positive,
  version_count: Positive,
  category: z.literal("join_verdict"),
  producer_agent: z.string().min(1),
  checker_uuid: CheckerUuid,
  sha256_hash: Sha256,
  payload_hash_mode: z.literal("payload_sha256"),
  payload_sha256_verified: z.boolean(),
  payload_json_valid: z.boolean(),
  integrity_status: z.string().min(1),
  total_payload_bytes: Count,
  created_at: Timestamp,
  payload: JsonValue,
  built_on_edges: z.array(BuiltOnEdge),
  gateway_id: GatewayId,
});
export type VerdictEnvelope = z.infer<typeof VerdictEnvelope>;
