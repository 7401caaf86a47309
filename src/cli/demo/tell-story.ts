import type { JoinReport } from "../../../contracts/documents/join-report.ts";
import type { ProvenanceGraph } from "../../../contracts/documents/provenance-graph.ts";
import type { BadHandIn } from "./bad-worker.ts";

export interface Story {
  readonly bad: BadHandIn;
  readonly rejected: JoinReport;
  readonly rejectedOut: string;
  /** The code with which worker b was refused the slot. */
  readonly refusal: string;
  /** Of worker c's lease. */
  readonly fence: number | null;
  readonly graph: ProvenanceGraph;
  /** Digests of the reports as the gateway keeps them, by version of the verdict. */
  readonly reports: readonly string[];
}

/** What happened before the verdict that accepts, in order. */
export function tellStory(story: Story): string {
  const { bad, rejected, rejectedOut, refusal, fence, graph, reports } = story;
  const faults = rejected.findings
    .filter((one) => one.severity === "reject")
    .map((one) => `${one.code} in slot ${one.slot}${one.frame === null ? "" : `, frame ${one.frame}`}`);
  const verdicts = graph.nodes.filter((node) => node.verdict !== null);
  const rests = (version: number): string =>
    graph.edges
      .filter((edge) => edge.source_version_num === version)
      .map((edge) => `${edge.target_object_key} version ${edge.pinned_version_num}`)
      .join(" and ");
  return `${[
    `1. worker b handed in slot b under fence ${bad.fence}; the second half of frame ${bad.frame} is missing`,
    `2. join verify: ${rejected.verdict} for ${faults.join("; ")}`,
    `   slot b alone was reopened; the report is in ${rejectedOut}`,
    `3. worker b asked for slot b again and was refused: ${refusal}`,
    `4. worker c rendered slot b under fence ${fence}`,
    `5. join verify: accepted`,
    `6. what the gateway keeps of it:`,
    ...verdicts.flatMap((node, index) => [
      `   ${node.object_key} version ${node.version_num}, ${node.verdict}, rests on ${rests(node.version_num)}`,
      `     join-report.json ${reports[index]}`,
    ]),
  ].join("\n")}\n`;
}
