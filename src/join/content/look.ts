import { type FrameSpec, pixelBytes, type RowSink, rowBytes } from "../../frame/spec.ts";
import { type Places, Tally } from "./tally.ts";

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

/** Looks at rows that come block by block. */
export interface Looking {
  readonly take: RowSink;
  /** After the last row. */
  finish(): Look;
}

/**
 * Looks at a frame through a grid of at most 128 x 72 samples; what says "every pixel" reads every pixel,
 * until one says otherwise. Of 16-bit samples the high byte counts, and colours count as much as their alpha
 * shows of them.
 */
export function startLook(spec: FrameSpec): Looking {
  const sampleBytes = spec.bitDepth / 8;
  const bytes = pixelBytes(spec);
  const down = places(spec.height, { most: GRID.rows, bytes: 1 });
  const sampling = { across: places(spec.width, { most: GRID.columns, bytes }), down, sampleBytes };
  const tally = new Tally({ ...sampling, colorType: spec.colorType });
  const stride = rowBytes(spec);
  const pixel = Buffer.alloc(bytes);
  let [constant, transparent] = [true, spec.colorType === 6];
  let sample = 0;
  return {
    take: (block, first) => {
      const rows = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
      if (first === 0) rows.copy(pixel);
      constant &&= isFilledWith(rows, pixel);
      for (let at = 0; sample < down.at.length; sample += 1, at = 0) {
        at = ((down.at[sample] ?? 0) - first) * stride;
        if (at >= rows.length) break;
        tally.add(rows, at, down.cell[sample] ?? 0);
      }
      transparent &&= tally.alpha === 0 && isTransparent(rows, bytes, sampleBytes);
    },
    finish: () => ({ figures: { constant, transparent, ...tally.figures() }, thumbnail: tally.thumbnail() }),
  };
}

/** Looks at all rows of a frame at once. */
export function lookAt(rows: Buffer, spec: FrameSpec): Look {
  const looking = startLook(spec);
  looking.take(rows, 0);
  return looking.finish();
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

/** The rows begin with the pixel and equal themselves moved by one; it stops at the first that differs. */
const isFilledWith = (rows: Buffer, pixel: Buffer): boolean =>
  rows.compare(pixel, 0, pixel.length, 0, pixel.length) === 0 &&
  rows.compare(rows, pixel.length, rows.length, 0, rows.length - pixel.length) === 0;

function isTransparent(rows: Buffer, pixelBytes: number, sampleBytes: number): boolean {
  for (let pixel = pixelBytes; pixel <= rows.length; pixel += pixelBytes)
    for (let at = pixel - sampleBytes; at < pixel; at += 1) if (rows[at] !== 0) return false;
  return true;
}
