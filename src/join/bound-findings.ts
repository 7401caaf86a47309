import type { Finding } from "../../contracts/documents/join-report.ts";
import { firstOfEach, MOST_FINDINGS } from "./fair-share.ts";

/** Of one code at one slot and frame: as many as the readers of files give. */
const MOST_OF_A_FRAME = 100;

const kindOf = ({ code, slot }: Finding): string => `${code} ${slot}`;

/**
 * The findings of a report: of one code at one slot and frame at most a hundred, of all a thousand, with some of
 * every code of either slot, and of as many frames as there is room for; one more of it says how many were left
 * out. Who makes evidence decides how often one thing is wrong with it.
 */
export function boundFindings(findings: readonly Finding[]): Finding[] {
  const most = MOST_FINDINGS;
  const near = firstOfEach(findings, (one) => `${kindOf(one)} ${one.frame}`, {
    most,
    mostOfKind: MOST_OF_A_FRAME,
  });
  const kept = firstOfEach(near, kindOf, { most });
  const keeps = new Set(kept);
  const left = Map.groupBy(
    findings.filter((one) => !keeps.has(one)),
    kindOf,
  );
  return [...kept, ...[...left.values()].flatMap(summaryOf)];
}

function summaryOf(left: readonly Finding[]): Finding[] {
  const [one] = left;
  if (one === undefined) return [];
  const [path = ""] = one.path.split("#");
  const frame = left.every((other) => other.frame === one.frame) ? one.frame : null;
  return [{ ...one, frame, path, expected: null, actual: `${left.length} more` }];
}
