import type { Finding } from "../../../contracts/documents/join-report.ts";
import { framesOf } from "../../../contracts/frame-names.ts";
import type { Facts } from "../facts.ts";
import { finding } from "../finding.ts";

/** Check `sequence`: both manifests together state the whole range once, in numeric order. */
export function checkSequence({ job, slots }: Facts): Finding[] {
  const [a, b] = [slots.a.bundle?.manifest?.value, slots.b.bundle?.manifest?.value];
  if (job === null || a === undefined || b === undefined) return [];
  const [first, second] = job.value.slots;
  const expected = framesOf({ first: first.first, last: second.last });
  const stated = [...a.frames, ...b.frames].map((entry) => entry.frame);
  const inSlots = a.frames.length === first.last - first.first + 1;
  if (inSlots && stated.length === expected.length && stated.every((frame, at) => frame === expected[at]))
    return [];
  return [
    finding("JOIN_SEQUENCE", {
      path: "slots/*/bundle.zip#manifest.json/frames",
      expected: `${first.first}-${first.last}, ${second.first}-${second.last}`,
      actual: [a, b].map(({ frames }) => frames.map((entry) => entry.frame).join(" ")).join(", "),
    }),
  ];
}
