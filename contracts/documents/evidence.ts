import { z } from "zod";
import { JsonObject } from "../json-value.ts";
import { Count, GatewayId, Sha256, Timestamp } from "../names.ts";
import { WellKnown, WorkerRecord } from "./records.ts";

/** `evidence.json`: every other file of the folder, sorted by path. */
export const EvidenceIndex = z.strictObject({
  schema: z.literal("render_handoff.evidence.v1"),
  collected_at: Timestamp,
  tool_version: z.string(),
  files: z.array(z.strictObject({ path: z.string(), sha256: Sha256, bytes: Count })),
});
export type EvidenceIndex = z.infer<typeof EvidenceIndex>;

/** `gateway.json`: who answered, and the records of the workers that the slots name. */
export const EvidenceGateway = z.strictObject({
  schema: z.literal("render_handoff.evidence_gateway.v1"),
  fetched_at: Timestamp,
  well_known: WellKnown,
  workers: z.array(WorkerRecord),
  answers: z
    .array(z.strictObject({ path: z.string(), gateway_id: z.string() }))
    .describe("who gave each answer but the provenance reads, which say it themselves: JOIN_GATEWAY_MIXED"),
});
export type EvidenceGateway = z.infer<typeof EvidenceGateway>;

/** `provenance.before.json` and `provenance.after.json`: the envelope and who answered with it. */
export const ProvenanceRead = z.strictObject({
  gateway_id: GatewayId,
  fetched_at: Timestamp,
  envelope: JsonObject,
});
export type ProvenanceRead = z.infer<typeof ProvenanceRead>;

export { EVIDENCE_FILES, EVIDENCE_INDEX } from "../evidence-files.ts";
