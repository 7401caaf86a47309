import { z } from "zod";
import { CheckerUuid, GatewayId, Positive, Sha256, TaskId, Timestamp, WorkerUuid } from "../names.ts";
import { POSTED_VERDICTS } from "./verdict.ts";

export const GraphNode = z.strictObject({
  object_key: TaskId,
  version_num: Positive,
  version_count: Positive,
  category: z.enum(["render_slot_result", "join_verdict"]),
  producer_agent: z.string().min(1),
  producer_id: z.union([WorkerUuid, CheckerUuid]),
  sha256_hash: Sha256,
  created_at: Timestamp,
  verdict: z.enum(POSTED_VERDICTS).nullable(),
});
export type GraphNode = z.infer<typeof GraphNode>;

export const GraphEdge = z.strictObject({
  source_object_key: TaskId,
  source_version_num: Positive,
  target_object_key: TaskId,
  relation_kind: z.literal("verifies"),
  pinned_version_num: Positive,
  pinned_sha256: Sha256,
});
export type GraphEdge = z.infer<typeof GraphEdge>;

/**
 * `GET /q/graph`: the root (all its versions where none is named), everything that it was built on, and
 * everything that was built on it. Nodes by key and version, edges by source and target. `truncated` where
 * there is more than LIMITS.graphEdges: the newest are there.
 */
export const ProvenanceGraph = z.strictObject({
  schema: z.literal("render_handoff.provenance_graph.v1"),
  gateway_id: GatewayId,
  root: z.strictObject({ object_key: TaskId, version_num: Positive.nullable() }),
  nodes: z.array(GraphNode),
  edges: z.array(GraphEdge),
  truncated: z.boolean(),
});
export type ProvenanceGraph = z.infer<typeof ProvenanceGraph>;
