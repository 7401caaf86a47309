import type { ChildResult } from "../../../contracts/documents/child-result.ts";
import type { JoinReport } from "../../../contracts/documents/join-report.ts";
import { SLOTS, type Slot } from "../../../contracts/flow.ts";

export interface DemoOutcome {
  readonly report: JoinReport;
  readonly children: Readonly<Record<Slot, ChildResult>>;
  readonly out: string;
  /** Milliseconds by part: scene, submit, both children at once, join. */
  readonly timings: Readonly<Record<string, number>>;
}

/** Who rendered what, the digests, the timings and where the pictures are. */
export function tell({ report, children, out, timings }: DemoOutcome): string {
  const slots = SLOTS.map((slot) => {
    const from = report.provenance[slot];
    const frames = report.frames.filter((frame) => frame.slot === slot).map((frame) => frame.frame);
    const phases = Object.entries(children[slot].timings_ms).map(([name, ms]) => `${name} ${seconds(ms)}`);
    return [
      `slot ${slot}  frames ${frames[0]}-${frames.at(-1)}  ${from?.worker_uuid}  fence ${from?.fencing_token}  Blender ${from?.blender_version} in ${from?.containment}`,
      `        bundle ${from?.bundle_sha256}`,
      `        ${phases.join("  ")}`,
    ].join("\n");
  });
  const frames = report.frames.map((frame) => `${frame.sha256}  ${frame.member}  slot ${frame.slot}`);
  const anchors = Object.entries(report.anchored)
    .filter(([, is]) => is)
    .map(([name]) => name);
  return `${[
    `verdict: ${report.verdict} (anchored by ${anchors.join(" and ")})`,
    ...slots,
    ...frames,
    `timings: ${Object.entries(timings)
      .map(([name, ms]) => `${name} ${seconds(ms)}`)
      .join("  ")}`,
    `pictures: ${out}`,
    `          look at ${out}/report.html`,
  ].join("\n")}\n`;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
