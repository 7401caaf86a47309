import type { FrameEntry } from "../../../contracts/documents/frame-entry.ts";
import type { Finding } from "../../../contracts/documents/join-report.ts";
import { frameName } from "../../../contracts/frame-names.ts";
import type { FrameFacts } from "../../frame/spec.ts";
import type { Facts, SlotFacts } from "../facts.ts";
import { finding, slotPath } from "../finding.ts";

/** Check `frames`: each frame has the size, shape and digests of the manifest and is under the job's cap. */
export const checkFrames = ({ job, slots }: Facts): Finding[] =>
  [slots.a, slots.b].flatMap((slot) => [
    ...tooLarge(slot, job?.value.limits.frame_bytes ?? Number.MAX_SAFE_INTEGER),
    ...asStated(slot),
  ]);

const pathOf = (slot: SlotFacts["slot"], frame: number): string =>
  slotPath(slot, `bundle.zip#${frameName(frame)}`);

const tooLarge = ({ slot, bundle }: SlotFacts, cap: number): Finding[] =>
  [...(bundle?.frames ?? [])]
    .filter(([, facts]) => facts.bytes > cap)
    .map(([frame, facts]) => {
      const states = { expected: `at most ${cap}`, actual: facts.bytes };
      return finding("JOIN_FRAME_TOO_LARGE", { slot, frame, path: pathOf(slot, frame), ...states });
    });

function asStated({ slot, bundle }: SlotFacts): Finding[] {
  if (bundle === null || bundle.manifest === null) return [];
  const findings: Finding[] = [];
  for (const [at, entry] of bundle.manifest.value.frames.entries()) {
    const { frame } = entry;
    const place = { slot, frame, path: slotPath(slot, `bundle.zip#manifest.json/frames/${at}`) };
    const name = frameName(frame);
    if (entry.member !== name)
      findings.push(finding("JOIN_MANIFEST_MISMATCH", { ...place, expected: name, actual: entry.member }));
    const facts = bundle.frames.get(frame);
    if (facts === undefined) continue;
    for (const [field, expected, actual] of differences(entry, facts)) {
      const path = `${pathOf(slot, frame)}/${field}`;
      findings.push(finding("JOIN_FRAME_DIGEST", { slot, frame, path, expected, actual }));
    }
    const shape = (of: { width: number; height: number }, depth: number, color: number): string =>
      `${of.width} x ${of.height}, depth ${depth}, colour type ${color}`;
    const stated = shape(entry, entry.bit_depth, entry.color_type);
    const actual = shape(facts, facts.bitDepth, facts.colorType);
    if (stated !== actual)
      findings.push(finding("JOIN_MANIFEST_MISMATCH", { ...place, expected: actual, actual: stated }));
  }
  return findings;
}

const differences = (entry: FrameEntry, facts: FrameFacts) =>
  (
    [
      ["sha256", entry.sha256, facts.sha256],
      ["bytes", entry.bytes, facts.bytes],
      ["pixels", entry.pixels.sha256, facts.pixelsSha256],
    ] as const
  ).filter(([, stated, actual]) => stated !== actual);
