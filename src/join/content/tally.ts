import type { FrameSpec } from "../../frame/spec.ts";

const FULL = 255;
/** Luma in whole numbers: weights of Rec. 709 in 256ths, and the bits that are dropped again. */
const LUMA = { red: 54, green: 183, blue: 19, shift: 4 } as const;
const WHITE = (FULL * 256) >> LUMA.shift;

export interface Places {
  /** Where the samples along one side lie. */
  readonly at: Int32Array;
  /** The cell of each. */
  readonly cell: Int32Array;
  readonly cells: number;
}

export interface Sampling {
  /** In bytes. */
  readonly across: Places;
  /** In rows. */
  readonly down: Places;
  readonly sampleBytes: number;
  readonly colorType: FrameSpec["colorType"];
}

/** Sums over the samples of a frame, row by row. Whole numbers and few calls: most verdicts never get it hot. */
export class Tally {
  /** Sum of the alphas so far. */
  alpha = 0;
  private luma = 0;
  private squares = 0;
  private lowest = WHITE;
  private highest = 0;
  private magenta = 0;
  private count = 0;
  /** Red, green, blue and the number of samples of each cell. */
  private readonly sums: Float64Array;
  private readonly sampling: Sampling;

  constructor(sampling: Sampling) {
    this.sampling = sampling;
    this.sums = new Float64Array(sampling.across.cells * sampling.down.cells * 4);
  }

  /** The samples of the row that begins at `row`, which lies in cells of the grid's row `cellRow`. */
  add(rows: Buffer, row: number, cellRow: number): void {
    const { across, sampleBytes, colorType } = this.sampling;
    const green1 = colorType === 0 ? 0 : sampleBytes;
    const [blue1, alpha1] = [2 * green1, 3 * green1];
    const cells = cellRow * across.cells;
    const { at: columns, cell: cellOf } = across;
    let { luma, squares, lowest, highest, alpha: alphas, magenta } = this;
    let [r, g, b, n] = [0, 0, 0, 0];
    for (let x = 0; x < columns.length; x += 1) {
      const at = row + (columns[x] ?? 0);
      const alpha = colorType === 6 ? (rows[at + alpha1] ?? 0) : FULL;
      let [red, green, blue] = [rows[at] ?? 0, rows[at + green1] ?? 0, rows[at + blue1] ?? 0];
      if (alpha !== FULL) [red, green, blue] = [shown(red, alpha), shown(green, alpha), shown(blue, alpha)];
      alphas += alpha;
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
      if (cellOf[x] !== cellOf[x + 1]) {
        const cell = (cells + (cellOf[x] ?? 0)) * 4;
        this.addTo(cell, [r, g, b, n]);
        r = g = b = n = 0;
      }
    }
    this.count += columns.length;
    Object.assign(this, { luma, squares, lowest, highest, alpha: alphas, magenta });
  }

  private addTo(cell: number, values: readonly number[]): void {
    for (const [channel, value] of values.entries())
      this.sums[cell + channel] = (this.sums[cell + channel] ?? 0) + value;
  }

  figures(): {
    luma_mean_ppm: number;
    luma_deviation_ppm: number;
    luma_lowest_ppm: number;
    luma_highest_ppm: number;
    alpha_mean_ppm: number;
    magenta_ppm: number;
  } {
    const mean = this.luma / this.count;
    return {
      luma_mean_ppm: ppm(mean / WHITE),
      luma_deviation_ppm: ppm(Math.sqrt(Math.max(0, this.squares / this.count - mean * mean)) / WHITE),
      luma_lowest_ppm: ppm(this.lowest / WHITE),
      luma_highest_ppm: ppm(this.highest / WHITE),
      alpha_mean_ppm: ppm(this.alpha / this.count / FULL),
      magenta_ppm: ppm(this.magenta / this.count),
    };
  }

  /** Means of the cells, RGB. */
  thumbnail(): Uint8Array {
    const { sums } = this;
    const means = new Uint8Array((sums.length / 4) * 3);
    for (let cell = 0; cell < sums.length / 4; cell += 1)
      for (let channel = 0; channel < 3; channel += 1)
        means[cell * 3 + channel] = Math.round(
          (sums[cell * 4 + channel] ?? 0) / Math.max(1, sums[cell * 4 + 3] ?? 0),
        );
    return means;
  }
}

const ppm = (share: number): number => Math.round(share * 1_000_000);
const shown = (value: number, alpha: number): number => Math.round((value * alpha) / FULL);

/** Magenta in any light: hardly any green beside much red and blue. See docs/CONTENT.md for the figures. */
const isMissingPink = (red: number, green: number, blue: number): boolean =>
  Math.min(red, blue) >= 48 && green * 4 <= Math.min(red, blue) && red <= 2 * blue && blue <= 2 * red;
