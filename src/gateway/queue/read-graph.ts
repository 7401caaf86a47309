import type { GraphEdge, GraphNode, ProvenanceGraph } from "../../../contracts/documents/provenance-graph.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import { timestamp } from "../../core/clock.ts";
import { HandoffError } from "../../core/error.ts";
import type { Queue } from "./queue.ts";
import type { EdgeRow, StampRow } from "./rows.ts";
import type { ReadRows } from "./store.ts";

/**
 * What an object was built on and what was built on it. Slot objects rest on nothing, so one step either way
 * is everything that can be reached. Refuses with object_unknown, object_version_unknown.
 */
export async function readGraph(
  queue: Queue,
  root: { readonly key: string; readonly version: number | null },
): Promise<ProvenanceGraph> {
  const most = LIMITS.graphEdges;
  return queue.store.read(async (rows) => {
    const versions = await rows.stamps(root.key, most + 1);
    if (versions.length === 0) throw new HandoffError("object_unknown");
    const roots = versions.filter((one) => root.version === null || one.version === root.version);
    if (roots.length === 0) throw new HandoffError("object_version_unknown");
    const found = await rows.edges(root.key, root.version, most + 1);
    const edges = found.slice(0, most);
    const named = edges.flatMap((edge) => [
      idOf(edge.sourceKey, edge.sourceVersion),
      idOf(edge.targetKey, edge.targetVersion),
    ]);
    const wanted = new Set([...named, ...roots.slice(0, most).map((one) => idOf(one.key, one.version))]);
    const nodes = await nodesOf(rows, [
      root.key,
      ...edges.flatMap((edge) => [edge.sourceKey, edge.targetKey]),
    ]);
    return {
      schema: "render_handoff.provenance_graph.v1",
      gateway_id: await rows.meta("gateway_id"),
      root: { object_key: root.key, version_num: root.version },
      nodes: nodes.filter((node) => wanted.has(idOf(node.object_key, node.version_num))).sort(byNode),
      edges: edges.map(edgeOf).sort(byEdge),
      truncated: found.length > most || roots.length > most,
    };
  });
}

const idOf = (key: string, version: number): string => `${key}/${version}`;

async function nodesOf(rows: ReadRows, keys: readonly string[]): Promise<GraphNode[]> {
  const nodes: GraphNode[] = [];
  for (const key of new Set(keys)) {
    const stamps = await rows.stamps(key, LIMITS.graphEdges);
    const [newest] = stamps;
    for (const stamp of stamps) nodes.push(nodeOf(stamp, newest?.version ?? stamp.version));
  }
  return nodes;
}

const nodeOf = (stamp: StampRow, versionCount: number): GraphNode => ({
  object_key: stamp.key,
  version_num: stamp.version,
  version_count: versionCount,
  category: stamp.verdict === null ? "render_slot_result" : "join_verdict",
  producer_agent: stamp.producer,
  producer_id: stamp.producerId,
  sha256_hash: stamp.sha256,
  created_at: timestamp(stamp.createdAt),
  verdict: stamp.verdict,
});

const edgeOf = (edge: EdgeRow): GraphEdge => ({
  source_object_key: edge.sourceKey,
  source_version_num: edge.sourceVersion,
  target_object_key: edge.targetKey,
  relation_kind: edge.relation,
  pinned_version_num: edge.targetVersion,
  pinned_sha256: edge.targetSha256,
});

const order = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
const byNode = (left: GraphNode, right: GraphNode): number =>
  order(left.object_key, right.object_key) || left.version_num - right.version_num;
const byEdge = (left: GraphEdge, right: GraphEdge): number =>
  order(left.source_object_key, right.source_object_key) ||
  left.source_version_num - right.source_version_num ||
  order(left.target_object_key, right.target_object_key);
