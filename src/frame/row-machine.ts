import { HandoffError } from "../core/error.ts";
import { instantiate, memoryOf } from "../core/web-assembly.ts";
import { ROWS_WASM } from "./rows-wasm.ts";
import type { RowShape } from "./spec.ts";

/** Filtered rows at a time: few enough to stay in the processor's own memory, and never taken anew. */
const BLOCK_BYTES = 128 * 1024;
/** What rows.wat may read and write beyond a row. */
const SPARE_BYTES = 16;

/** Memory in which a block of rows is unfiltered, shared by the frames of a thread, one after another. */
export interface RowMachine {
  /** Rows that a block has at most. */
  readonly blockRows: number;
  /** Where a block's filtered rows go, each after its filter byte. */
  readonly filtered: Uint8Array;
  /** Undoes the first `rows` of them; fewer come back where the next one's filter is none of PNG's. */
  unfilter(rows: number): Uint8Array;
}

type Unfilter = (src: number, out: number, rows: number, rowBytes: number, pixelBytes: number) => number;

let shared: { readonly memory: WebAssembly.Memory; readonly unfilter: Unfilter } | null = null;

/** The machine, ready for the first row of a frame of this shape; the one before is over then. */
export function rowMachine({ height, rowBytes, pixelBytes }: RowShape): RowMachine {
  shared ??= load();
  const { memory, unfilter } = shared;
  const blockRows = Math.max(1, Math.min(height, Math.floor(BLOCK_BYTES / (rowBytes + 1))));
  // the row above the block, the block, its source
  const out = rowBytes;
  const src = out + blockRows * rowBytes + SPARE_BYTES;
  const bytes = src + blockRows * (rowBytes + 1) + SPARE_BYTES;
  const whole = new Uint8Array(memoryOf(memory, bytes));
  whole.fill(0, 0, out);
  return {
    blockRows,
    filtered: whole.subarray(src, src + blockRows * (rowBytes + 1)),
    unfilter: (rows) => whole.subarray(out, out + unfilter(src, out, rows, rowBytes, pixelBytes) * rowBytes),
  };
}

function load(): NonNullable<typeof shared> {
  const { memory, unfilter } = instantiate(ROWS_WASM);
  if (memory instanceof WebAssembly.Memory && isUnfilter(unfilter)) return { memory, unfilter };
  throw new HandoffError("INTERNAL_UNEXPECTED", "rows.wat exports something else");
}

const isUnfilter = (unfilter: unknown): unfilter is Unfilter => typeof unfilter === "function";
