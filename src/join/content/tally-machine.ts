import { HandoffError } from "../../core/error.ts";
import { instantiate, memoryOf } from "../../core/web-assembly.ts";
import type { FrameSpec } from "../../frame/spec.ts";
import { TALLY_WASM } from "./tally-wasm.ts";

/** Places in the memory of tally.wat, and what a cell's sums take there. */
const AT = { squares: 0, sums: 8, columns: 64, cells: 2_048, means: 12_288, row: 16_384 } as const;
const CELL_BYTES = 16;
const HIGHEST_LUMA = 4_080;

export interface Sampling {
  readonly rowBytes: number;
  readonly pixelBytes: number;
  /** Of each sample of a row its pixel, and its cell in the grid's row. */
  readonly columns: { readonly at: Int32Array; readonly cell: Int32Array };
  /** Of the grid: columns and rows. */
  readonly cells: readonly [across: number, down: number];
  readonly sampleBytes: number;
  readonly colorType: FrameSpec["colorType"];
}

export interface Sums {
  /** Adds the samples of a row that lies in a row of the grid. */
  add(row: Uint8Array, cellRow: number): void;
  /** Means of red, green and blue of the first cells, in memory of the caller's. */
  means(cells: number): Uint8Array;
  read(): Record<"squares" | "luma" | "alpha" | "magenta" | "lowest" | "highest", number>;
}

type Add = (samples: number, cells: number, green: number, blue: number, alpha: number) => void;
type Means = (cells: number) => void;

let shared: { readonly memory: WebAssembly.Memory; readonly tally: Add; readonly means: Means } | null = null;

/** Begins the sums of a frame; those of the one before are over then. */
export function startTally(sampling: Sampling): Sums {
  const { rowBytes, columns, cells, sampleBytes, colorType } = sampling;
  shared ??= load();
  const { memory, tally, means } = shared;
  const whole = new Uint8Array(memoryOf(memory, AT.row + rowBytes));
  whole.fill(0, 0, AT.row);
  const samples = columns.at.length;
  const table = new Int32Array(whole.buffer, AT.columns, samples * 2);
  for (let index = 0; index < samples; index += 1) {
    table[index * 2] = (columns.at[index] ?? 0) * sampling.pixelBytes;
    table[index * 2 + 1] = (columns.cell[index] ?? 0) * CELL_BYTES;
  }
  const sums = new Int32Array(whole.buffer, AT.sums, 5);
  sums[3] = HIGHEST_LUMA;
  const squares = new Float64Array(whole.buffer, AT.squares, 1);
  const green = colorType === 0 ? 0 : sampleBytes;
  const alphaAt = colorType === 6 ? 3 * sampleBytes : 0;
  return {
    add: (row, cellRow) => {
      whole.set(row, AT.row);
      tally(samples, AT.cells + cellRow * cells[0] * CELL_BYTES, green, 2 * green, alphaAt);
    },
    means: (count) => {
      means(count);
      return whole.slice(AT.means, AT.means + count * 3);
    },
    read: () => {
      const [luma = 0, alpha = 0, magenta = 0, lowest = 0, highest = 0] = sums;
      return { squares: squares[0] ?? 0, luma, alpha, magenta, lowest, highest };
    },
  };
}

function load(): NonNullable<typeof shared> {
  const { memory, tally, means } = instantiate(TALLY_WASM);
  if (memory instanceof WebAssembly.Memory && isAdd(tally) && isMeans(means)) return { memory, tally, means };
  throw new HandoffError("INTERNAL_UNEXPECTED", "tally.wat exports something else");
}

const isAdd = (add: unknown): add is Add => typeof add === "function";
const isMeans = (means: unknown): means is Means => typeof means === "function";
