import type { ContentFigures } from "../../../contracts/documents/join-report.ts";
import type { Slot } from "../../../contracts/flow.ts";
import type { Look } from "./look.ts";

/** A frame that passed the gate, as it looks. */
export interface SeenFrame {
  readonly frame: number;
  readonly slot: Slot;
  readonly pixelsSha256: string;
  readonly look: Look;
}

/** The figures of a range: each frame, each two neighbours, and the seam against the motion within the slots. */
export function compareFrames(seen: readonly SeenFrame[]): ContentFigures {
  const pairs = neighboursOf(seen);
  const neighbours = pairs.map(([before, after]) => ({
    from: before.frame,
    to: after.frame,
    same_pixels: before.pixelsSha256 === after.pixelsSha256,
    difference_ppm: differencePpm(before.look.thumbnail, after.look.thumbnail),
  }));
  const within = neighbours.filter((_, index) => !isSeam(pairs[index]));
  const seam = neighbours.find((_, index) => isSeam(pairs[index]));
  return {
    frames: seen.map(({ frame, look }) => ({ frame, ...look.figures })),
    neighbours,
    seam:
      seam === undefined || within.length === 0
        ? null
        : {
            difference_ppm: seam.difference_ppm,
            within_slots_ppm: within.reduce((most, one) => Math.max(most, one.difference_ppm), 0),
          },
  };
}

type Pair = readonly [before: SeenFrame, after: SeenFrame];

const neighboursOf = (seen: readonly SeenFrame[]): Pair[] =>
  seen.flatMap((after, index): Pair[] => {
    const before = seen[index - 1];
    return before?.frame === after.frame - 1 ? [[before, after]] : [];
  });

const isSeam = (pair: Pair | undefined): boolean => pair !== undefined && pair[0].slot !== pair[1].slot;

/** Mean difference of two thumbnails' samples; thumbnails of one job have one size. */
function differencePpm(left: Uint8Array, right: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += Math.abs((left[at] ?? 0) - (right[at] ?? 0));
  return Math.round((sum / Math.max(1, left.length) / 255) * 1_000_000);
}
