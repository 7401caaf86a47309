import type { Expect } from "../../contracts/documents/contract-ledger.ts";
import { ProvenanceGraph } from "../../contracts/documents/provenance-graph.ts";
import { TaskList } from "../../contracts/wire/people.ts";
import { readDocument } from "../core/json/read-document.ts";
import type { PlainAnswer } from "./exchange-once.ts";

/** What of a provenance graph is not as expected, as one sentence; `prefix` begins every key of the case. */
export function graphMismatch(answer: PlainAnswer, expected: Expect, prefix: string): string | null {
  if (expected.nodes === undefined && expected.edges === undefined) return null;
  const read = readDocument(ProvenanceGraph, answer.body);
  if (!read.ok) return `graph${read.path}: ${read.problem}`;
  const named = (key: string, version: number): string => `${key.replace(`${prefix}-`, "")}/${version}`;
  const seen = {
    nodes: read.value.nodes.map((node) => named(node.object_key, node.version_num)),
    edges: read.value.edges.map(
      (edge) =>
        `${named(edge.source_object_key, edge.source_version_num)} ${named(edge.target_object_key, edge.pinned_version_num)}`,
    ),
  };
  for (const part of ["nodes", "edges"] as const) {
    const wanted = expected[part];
    if (wanted !== undefined && wanted.join("; ") !== seen[part].join("; "))
      return `the graph's ${part} are ${seen[part].join("; ")}, expected ${wanted.join("; ")}`;
  }
  return null;
}

/** The tasks of a list by name, in any order. */
export function tasksMismatch(answer: PlainAnswer, expected: Expect, prefix: string): string | null {
  if (expected.tasks === undefined) return null;
  const read = readDocument(TaskList, answer.body);
  if (!read.ok) return `tasks${read.path}: ${read.problem}`;
  const seen = read.value.tasks.map(({ task_id }) => task_id.replace(`${prefix}-`, "")).sort();
  const wanted = expected.tasks.toSorted();
  return seen.join(", ") === wanted.join(", ")
    ? null
    : `the list's tasks are ${seen.join(", ") || "none"}, expected ${wanted.join(", ")}`;
}
