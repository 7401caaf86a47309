import { type FrameSpec, pixelBytes, rowBytes } from "../../frame/spec.ts";
import { type Sums, startTally } from "./tally-machine.ts";

export const FULL = 255;
/** Luma of white as tally.wat has it: Rec. 709 in 256ths, four bits fewer. */
export const WHITE = (FULL * 256) >> 4;
/** Cells of the thumbnail, and samples of the frame that each has at most, in both directions. */
const GRID = { columns: 32, rows: 18, samples: 4 } as const;

/** Shares and levels in parts per million of the whole, so that a report holds integers alone. */
export interface TallyFigures {
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

/**
 * Sums over a grid of at most 128 x 72 samples of a frame, whose rows come block by block. Of 16-bit samples the
 * high byte counts, and colours count as much as their alpha shows of them.
 */
export class Tally {
  private readonly stride: number;
  private readonly down: Places;
  private readonly across: Places;
  private readonly sums: Sums;
  private next = 0;

  constructor(spec: FrameSpec) {
    this.stride = rowBytes(spec);
    this.down = places(spec.height, GRID.rows);
    this.across = places(spec.width, GRID.columns);
    this.sums = startTally({
      rowBytes: this.stride,
      pixelBytes: pixelBytes(spec),
      columns: this.across,
      cells: [this.across.cells, this.down.cells],
      sampleBytes: spec.bitDepth / 8,
      colorType: spec.colorType,
    });
  }

  /** The samples of rows from row `first` on. */
  add(rows: Buffer, first: number): void {
    for (; this.next < this.down.at.length; this.next += 1) {
      const at = ((this.down.at[this.next] ?? 0) - first) * this.stride;
      if (at >= rows.length) return;
      this.sums.add(rows.subarray(at, at + this.stride), this.down.cell[this.next] ?? 0);
    }
  }

  /** Whether a sample so far shows anything. */
  get opaque(): boolean {
    return this.sums.read().alpha > 0;
  }

  figures(): TallyFigures {
    const count = this.across.at.length * this.down.at.length;
    const { luma, squares, lowest, highest, alpha, magenta } = this.sums.read();
    const mean = luma / count;
    return {
      luma_mean_ppm: ppm(mean / WHITE),
      luma_deviation_ppm: ppm(Math.sqrt(Math.max(0, squares / count - mean * mean)) / WHITE),
      luma_lowest_ppm: ppm(lowest / WHITE),
      luma_highest_ppm: ppm(highest / WHITE),
      alpha_mean_ppm: ppm(alpha / count / FULL),
      magenta_ppm: ppm(magenta / count),
    };
  }

  /** RGB means of the cells, by rows. */
  thumbnail(): Uint8Array {
    return this.sums.means(this.across.cells * this.down.cells);
  }
}

export const ppm = (share: number): number => Math.round(share * 1_000_000);

interface Places {
  /** Where the samples along one side lie. */
  readonly at: Int32Array;
  /** The cell of each. */
  readonly cell: Int32Array;
  readonly cells: number;
}

/** Filled by a loop: every frame needs them anew, and a call for each sample takes longer than its row. */
function places(side: number, most: number): Places {
  const cells = Math.min(side, most);
  const count = Math.min(side, most * GRID.samples);
  const [at, cell] = [new Int32Array(count), new Int32Array(count)];
  for (let index = 0; index < count; index += 1) {
    at[index] = Math.floor(((index + 0.5) * side) / count);
    cell[index] = Math.floor((index * cells) / count);
  }
  return { at, cell, cells };
}
