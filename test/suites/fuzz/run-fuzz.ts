import { bundleFromBuffer, extractMember, readBundle } from "../../../src/bundle/read.ts";
import { askSecondReader } from "../../../src/bundle/second-reader.ts";
import { canonicalFrame } from "../../../src/frame/canonical-frame.ts";
import { checkFrame } from "../../../src/frame/check-frame.ts";
import { secondOpinion } from "../../../src/join/decode/second-opinion.ts";
import { buildPng, GOOD_HEADER, gammaChunk, goodHalves, pngChunk } from "../../support/png-build.ts";
import { buildZip, member } from "../../support/zip-build.ts";
import { mutatePng } from "./mutate-png.ts";
import { mutateZip } from "./mutate-zip.ts";
import { Random } from "./random.ts";

export interface FuzzCounts {
  accepted: number;
  refused: number;
  /** How often each code was the first. */
  readonly codes: Record<string, number>;
}

const SHAPES = ([0, 2, 6] as const).flatMap((colorType) =>
  ([8, 16] as const).map((bitDepth) => ({ ...GOOD_HEADER, colorType, bitDepth })),
);
const CAPS = { bundleBytes: 1e6, memberBytes: 1e6, totalBytes: 4e6 };

/** Changed frames: none crashes the check, and none is accepted with other pixels. Throws with what was wrong. */
export function fuzzFrames(seed: number, iterations: number): FuzzCounts {
  const random = new Random(seed);
  const counts: FuzzCounts = { accepted: 0, refused: 0, codes: {} };
  const seeds = [
    ...SHAPES.map((header) => buildPng({ header, before: [gammaChunk(), pngChunk("tEXt", "Software\0x")] })),
    buildPng({ data: goodHalves() }),
  ];
  for (let at = 0; at < iterations; at += 1) {
    const good = seeds[random.under(seeds.length)] ?? Buffer.alloc(0);
    const known = checkFrame(good, { expect: null });
    if (!known.ok) throw new Error("a good frame is refused");
    const bytes = mutatePng(good, random);
    const blame = (what: string): Error =>
      new Error(`seed ${seed}, iteration ${at}: ${what}: ${bytes.toString("base64")}`);
    const verdict = guarded(() => checkFrame(bytes, { expect: known.facts }), blame);
    if (!count(counts, verdict.ok ? [] : verdict.faults) || !verdict.ok) continue;
    if (verdict.facts.pixelsSha256 !== known.facts.pixelsSha256) throw blame("accepted with other pixels");
    if (secondOpinion(bytes, verdict.facts).length > 0) throw blame("pngjs sees other pixels");
    const canonical = checkFrame(canonicalFrame(bytes), { expect: known.facts });
    if (!canonical.ok || !canonical.facts.canonical) throw blame("its canonical form is none");
  }
  return counts;
}

/** Changed archives: none crashes the reader, and none is accepted with other members. */
export async function fuzzBundles(seed: number, iterations: number): Promise<FuzzCounts> {
  const random = new Random(seed);
  const counts: FuzzCounts = { accepted: 0, refused: 0, codes: {} };
  const contents = new Map([
    ["frame_0205.png", buildPng()],
    ["frame_0206.png", Buffer.from("b".repeat(300))],
    ["manifest.json", Buffer.from("{}")],
  ]);
  const names = [...contents.keys()];
  const good = buildZip(
    [...contents].map(([name, content], at) => member(name, { content, method: at === 1 ? 8 : 0 })),
  );
  for (let at = 0; at < iterations; at += 1) {
    const bytes = mutateZip(good, random);
    const blame = (what: string): Error =>
      new Error(`seed ${seed}, iteration ${at}: ${what}: ${bytes.toString("base64")}`);
    const source = bundleFromBuffer(bytes);
    const verdict = guarded(() => readBundle(source, { members: names, caps: CAPS }), blame);
    if (!verdict.ok) {
      count(counts, verdict.faults);
      continue;
    }
    const disagreements = await askSecondReader(source, verdict.members);
    const members = verdict.members.map((one) => ({
      one,
      got: guarded(() => extractMember(source, one), blame),
    }));
    const faults = members.flatMap(({ got }) => (got.ok ? [] : got.faults));
    if (!count(counts, [...disagreements, ...faults])) continue;
    if (members.length !== names.length) throw blame("accepted with other members");
    for (const { one, got } of members)
      if (!got.ok || contents.get(one.name)?.equals(got.bytes) !== true)
        throw blame(`accepted with other content of ${one.name}`);
  }
  return counts;
}

function guarded<T>(check: () => T, blame: (what: string) => Error): T {
  try {
    return check();
  } catch (thrown) {
    throw blame(`it threw ${String(thrown)}`);
  }
}

/** Whether it was accepted, which is to say: without a fault. */
function count(counts: FuzzCounts, faults: readonly { code: string }[]): boolean {
  const [first] = faults;
  if (first === undefined) counts.accepted += 1;
  else {
    counts.refused += 1;
    counts.codes[first.code] = (counts.codes[first.code] ?? 0) + 1;
  }
  return first === undefined;
}
