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
const GRID = { columns: 32, rows: 18, samples: 4 } as const;
const FULL = 255;
/** Luma in whole numbers: weights of Rec. 709 in 256ths, and the bits that are dropped again. */
const LUMA = { red: 54, green: 183, blue: 19, shift: 4 } as const;
const WHITE = (FULL * 256) >> LUMA.shift;

/**
 * Looks at a frame through a grid of at most 128 x 72 samples; what says "every pixel" reads every pixel,
 * and only where the samples leave room for it. Of 16-bit samples the high byte counts, and colours count as
 * much as their alpha shows of them.
 */
export function lookAt(rows: Buffer, spec: FrameSpec): Look {
  const { bitDepth, colorType } = spec;
  const sampleBytes = bitDepth / 8;
  const pixelBytes = { 0: 1, 2: 3, 6: 4 }[colorType] * sampleBytes;
  const across = places(spec.width, { most: GRID.columns, bytes: pixelBytes });
  const down = places(spec.height, { most: GRID.rows, bytes: pixelBytes * spec.width });
  const tally = tallyOf(rows, { across, down, sampleBytes, colorType });
  const count = across.at.length * down.at.length;
  const mean = tally.luma / count;
  const figures: LookFigures = {
    constant: isConstant(rows, pixelBytes),
    transparent: tally.alpha === 0 && isTransparent(rows, pixelBytes, sampleBytes),
    luma_mean_ppm: ppm(mean / WHITE),
    luma_deviation_ppm: ppm(Math.sqrt(Math.max(0, tally.squares / count - mean * mean)) / WHITE),
    luma_lowest_ppm: ppm(tally.lowest / WHITE),
    luma_highest_ppm: ppm(tally.highest / WHITE),
    alpha_mean_ppm: ppm(tally.alpha / count / FULL),
    magenta_ppm: ppm(tally.magenta / count),
  };
  return { figures, thumbnail: meansOf(tally.sums) };
}

interface Sampling {
  readonly across: Places;
  readonly down: Places;
  readonly sampleBytes: number;
  readonly colorType: FrameSpec["colorType"];
}

interface Tally {
  readonly luma: number;
  readonly squares: number;
  readonly lowest: number;
  readonly highest: number;
  readonly alpha: number;
  readonly magenta: number;
  /** Red, green, blue and the number of samples of each cell. */
  readonly sums: Float64Array;
}

/** One pass over the samples. Whole numbers and few calls: for most verdicts this loop never gets hot. */
function tallyOf(rows: Buffer, { across, down, sampleBytes, colorType }: Sampling): Tally {
  const green1 = colorType === 0 ? 0 : sampleBytes;
  const [blue1, alpha1] = [2 * green1, 3 * green1];
  const sums = new Float64Array(across.cells * down.cells * 4);
  let [luma, squares, lowest, highest, alphas, magenta] = [0, 0, WHITE, 0, 0, 0];
  let [r, g, b, n] = [0, 0, 0, 0];
  for (let y = 0; y < down.at.length; y += 1) {
    const row = down.at[y] ?? 0;
    const cells = (down.cell[y] ?? 0) * across.cells;
    for (let x = 0; x < across.at.length; x += 1) {
      const at = row + (across.at[x] ?? 0);
      const alpha = colorType === 6 ? (rows[at + alpha1] ?? 0) : FULL;
      alphas += alpha;
      const red = shown(rows[at], alpha);
      const green = shown(rows[at + green1], alpha);
      const blue = shown(rows[at + blue1], alpha);
      const level = (LUMA.red * red + LUMA.green * green + LUMA.blue * blue) >> LUMA.shift;
      luma += level;
      squares += level * level;
      if (level < lowest) lowest = level;
      if (level > highest) highest = level;
      if (green * 4 <= red && isMissingPink(red, green, blue)) magenta += 1;
      r += red;
      g += green;
      b += blue;
      n += 1;
      if (across.cell[x] !== across.cell[x + 1]) {
        const cell = (cells + (across.cell[x] ?? 0)) * 4;
        add(sums, cell, [r, g, b, n]);
        r = g = b = n = 0;
      }
    }
  }
  return { luma, squares, lowest, highest, alpha: alphas, magenta, sums };
}

const shown = (value = 0, alpha: number): number =>
  alpha === FULL ? value : Math.round((value * alpha) / FULL);

function add(sums: Float64Array, cell: number, values: readonly number[]): void {
  for (const [channel, value] of values.entries()) sums[cell + channel] = (sums[cell + channel] ?? 0) + value;
}

const ppm = (share: number): number => Math.round(share * 1_000_000);

interface Places {
  /** Where the samples along one side lie, in bytes. */
  readonly at: Int32Array;
  /** The cell of each. */
  readonly cell: Int32Array;
  readonly cells: number;
}

function places(side: number, { most, bytes }: { most: number; bytes: number }): Places {
  const cells = Math.min(side, most);
  const count = Math.min(side, most * GRID.samples);
  return {
    at: Int32Array.from({ length: count }, (_, index) => Math.floor(((index + 0.5) * side) / count) * bytes),
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
