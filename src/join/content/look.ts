import type { FrameSpec } from "../../frame/spec.ts";

/** Shares and levels in parts per million of the whole, so that a report holds integers alone. */
export interface LookFigures {
  /** Every pixel of the frame has the same value; exact. */
  readonly constant: boolean;
  /** Every pixel has alpha 0; exact. False for frames without alpha. */
  readonly transparent: boolean;
  readonly luma_mean_ppm: number;
  /** Standard deviation of the luma. */
  readonly luma_deviation_ppm: number;
  readonly luma_lowest_ppm: number;
  readonly luma_highest_ppm: number;
  /** Mean alpha; 1000000 for frames without alpha. */
  readonly alpha_mean_ppm: number;
  /** Samples in the pink with which Blender stands in for an image that it cannot find, lit or unlit. */
  readonly magenta_ppm: number;
}

/** What a frame looks like, from its unfiltered rows. */
export interface Look {
  readonly figures: LookFigures;
  /** RGB means of the cells of a grid of at most 32 x 18, by rows. */
  readonly thumbnail: Uint8Array;
}

/** Cells of the thumbnail, and samples of the frame that each has at most, in both directions. */
const GRID = { columns: 32, rows: 18, samples: 8 } as const;
const FULL = 255;

/**
 * Looks at a frame through a grid of at most 256 x 144 samples; what says "every pixel" reads every pixel,
 * and only where the samples leave room for it. Of 16-bit samples the high byte counts, and colours count as
 * much as their alpha shows of them.
 */
export function lookAt(rows: Buffer, spec: FrameSpec): Look {
  const { bitDepth, colorType } = spec;
  const sampleBytes = bitDepth / 8;
  const pixelBytes = { 0: 1, 2: 3, 6: 4 }[colorType] * sampleBytes;
  const grey = colorType === 0;
  const [greenAt, blueAt, alphaAt] = grey ? [0, 0, -1] : [sampleBytes, 2 * sampleBytes, 3 * sampleBytes];
  const across = places(spec.width, GRID.columns);
  const down = places(spec.height, GRID.rows);
  const sums = new Float64Array(across.cells * down.cells * 4);
  let [luma, squares, lowest, highest, alphas, magenta] = [0, 0, FULL, 0, 0, 0];
  for (let y = 0; y < down.at.length; y += 1) {
    const row = (down.at[y] ?? 0) * spec.width;
    const cellRow = (down.cell[y] ?? 0) * across.cells;
    for (let x = 0; x < across.at.length; x += 1) {
      const at = (row + (across.at[x] ?? 0)) * pixelBytes;
      const alpha = colorType === 6 ? (rows[at + alphaAt] ?? 0) : FULL;
      const cover = alpha / FULL;
      const red = (rows[at] ?? 0) * cover;
      const green = (rows[at + greenAt] ?? 0) * cover;
      const blue = (rows[at + blueAt] ?? 0) * cover;
      const level = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      luma += level;
      squares += level * level;
      lowest = Math.min(lowest, level);
      highest = Math.max(highest, level);
      alphas += alpha;
      if (isMissingPink(red, green, blue)) magenta += 1;
      const cell = (cellRow + (across.cell[x] ?? 0)) * 4;
      add(sums, cell, red);
      add(sums, cell + 1, green);
      add(sums, cell + 2, blue);
      add(sums, cell + 3, 1);
    }
  }
  const count = across.at.length * down.at.length;
  const mean = luma / count;
  const figures: LookFigures = {
    constant: isConstant(rows, pixelBytes),
    transparent: alphas === 0 && isTransparent(rows, pixelBytes, sampleBytes),
    luma_mean_ppm: ppm(mean / FULL),
    luma_deviation_ppm: ppm(Math.sqrt(Math.max(0, squares / count - mean * mean)) / FULL),
    luma_lowest_ppm: ppm(lowest / FULL),
    luma_highest_ppm: ppm(highest / FULL),
    alpha_mean_ppm: ppm(alphas / count / FULL),
    magenta_ppm: ppm(magenta / count),
  };
  return { figures, thumbnail: meansOf(sums) };
}

const add = (sums: Float64Array, at: number, value: number): void => {
  sums[at] = (sums[at] ?? 0) + value;
};

const ppm = (share: number): number => Math.round(share * 1_000_000);

interface Places {
  /** Positions of the samples along one side. */
  readonly at: Int32Array;
  /** The cell of each. */
  readonly cell: Int32Array;
  readonly cells: number;
}

function places(side: number, most: number): Places {
  const cells = Math.min(side, most);
  const count = Math.min(side, most * GRID.samples);
  return {
    at: Int32Array.from({ length: count }, (_, index) => Math.floor(((index + 0.5) * side) / count)),
    cell: Int32Array.from({ length: count }, (_, index) => Math.floor((index * cells) / count)),
    cells,
  };
}

/** Magenta in any light: hardly any green beside much red and blue. See docs/CONTENT.md for the figures. */
const isMissingPink = (red: number, green: number, blue: number): boolean =>
  Math.min(red, blue) >= 48 && green * 4 <= Math.min(red, blue) && red <= 2 * blue && blue <= 2 * red;

/** The rows equal themselves moved by one pixel; it stops at the first pixel that differs. */
const isConstant = (rows: Buffer, pixelBytes: number): boolean =>
  rows.compare(rows, pixelBytes, rows.length, 0, rows.length - pixelBytes) === 0;

function isTransparent(rows: Buffer, pixelBytes: number, sampleBytes: number): boolean {
  for (let pixel = pixelBytes; pixel <= rows.length; pixel += pixelBytes)
    for (let at = pixel - sampleBytes; at < pixel; at += 1) if (rows[at] !== 0) return false;
  return true;
}

function meansOf(sums: Float64Array): Uint8Array {
  const means = new Uint8Array((sums.length / 4) * 3);
  for (let cell = 0; cell < sums.length / 4; cell += 1)
    for (let channel = 0; channel < 3; channel += 1)
      means[cell * 3 + channel] = Math.round(
        (sums[cell * 4 + channel] ?? 0) / Math.max(1, sums[cell * 4 + 3] ?? 0),
      );
  return means;
}
