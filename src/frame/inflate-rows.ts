import { LIMITS } from "../../contracts/limits.ts";
import { type Fault, fault } from "../core/fault.ts";
import { inflateCapped } from "../core/inflate-capped.ts";
import { releaseMemory } from "../core/release-memory.ts";
import { type Chunk, dataOf } from "./scan-chunks.ts";
import { type FrameSpec, rowBytes } from "./spec.ts";

export interface RowsWanted extends FrameSpec {
  /** Most memory for them. */
  readonly memoryBytes: number;
}

export type InflatedRows =
  /** Filtered rows, each with its filter byte; the memory is the caller's to change. */
  { readonly ok: true; readonly raw: Buffer } | { readonly ok: false; readonly faults: readonly Fault[] };

const WHERE = "IDAT";
const FULL_WINDOW_BITS = 15;
const ADLER_BYTES = 4;

/** PNG rule 4: one zlib stream over all IDAT data that makes exactly the image's rows. */
export function inflateRows(file: Buffer, imageData: readonly Chunk[], header: RowsWanted): InflatedRows {
  const pieces = imageData.map((chunk) => dataOf(file, chunk));
  const [only, ...others] = pieces;
  if (only !== undefined && others.length === 0) return inflateStream(only, header);
  const stream = Buffer.concat(pieces);
  const rows = inflateStream(stream, header);
  releaseMemory(stream);
  return rows;
}

function inflateStream(stream: Buffer, header: RowsWanted): InflatedRows {
  const windowBits = readZlibHeader(stream);
  if (typeof windowBits !== "number") return { ok: false, faults: [windowBits] };
  const wanted = header.height * (1 + rowBytes(header));
  const possible = stream.length * LIMITS.inflateRatio;
  // before any memory is taken: a tiny file cannot hold a huge image
  if (wanted > possible) return refuse("PNG_DATA_SHORT", wanted, `at most ${possible} bytes can come of it`);
  if (wanted > header.memoryBytes) return refuse("JOIN_DECODE_MEMORY", header.memoryBytes, String(wanted));
  const inflated = inflateCapped(stream, { maxBytes: wanted });
  if (!inflated.ok) {
    switch (inflated.why) {
      case "truncated":
        return refuse("PNG_ZLIB_TRUNCATED");
      case "checksum":
        return refuse("PNG_ADLER");
      case "corrupt":
        return refuse("PNG_INFLATE");
      case "too_long":
        return refuse("PNG_DATA_LONG", wanted);
    }
  }
  const { bytes, consumed } = inflated;
  const faults: Fault[] = [];
  if (bytes.length < wanted)
    faults.push(fault("PNG_DATA_SHORT", WHERE, { expected: wanted, actual: bytes.length }));
  if (consumed < stream.length)
    faults.push(fault("PNG_IDAT_TRAILING", WHERE, { actual: stream.length - consumed }));
  if (faults.length === 0 && reachesTooFar(stream, windowBits, wanted))
    faults.push(fault("PNG_ZLIB_WINDOW", WHERE, { expected: `distances up to ${2 ** windowBits}` }));
  return faults.length > 0 ? { ok: false, faults } : { ok: true, raw: bytes };
}

const refuse = (code: Fault["code"], expected?: number, actual?: string): InflatedRows => ({
  ok: false,
  faults: [
    fault(code, WHERE, {
      ...(expected === undefined ? {} : { expected }),
      ...(actual === undefined ? {} : { actual }),
    }),
  ],
});

/** Window bits of a valid zlib header (CM 8, FCHECK, no preset dictionary), or what is wrong with it. */
function readZlibHeader(stream: Buffer): number | Fault {
  if (stream.length < 2 + ADLER_BYTES)
    return fault("PNG_ZLIB_TRUNCATED", WHERE, { actual: `${stream.length} bytes` });
  const header = stream.readUInt16BE(0);
  const windowBits = (header >>> 12) + 8;
  const dictionary = (header & 0x20) !== 0;
  if (((header >>> 8) & 0x0f) !== 8 || windowBits > FULL_WINDOW_BITS || header % 31 !== 0 || dictionary)
    return fault("PNG_ZLIB_HEADER", WHERE, { actual: `0x${header.toString(16).padStart(4, "0")}` });
  return windowBits;
}

/** Pieces of output in the second run: more would cost more than the frame itself. */
const MOST_PIECES = 131_072;

/**
 * Whether the stream refers to bytes further back than its header's window. In one piece of output zlib
 * never needs its window, so the stream is run again in small pieces with just the stated one. The limit is
 * exact to a piece: 64 bytes for frames of up to 8 MiB. Encoders state a smaller window for small images,
 * where it covers all.
 */
function reachesTooFar(stream: Buffer, windowBits: number, wanted: number): boolean {
  if (windowBits === FULL_WINDOW_BITS || wanted <= 2 ** windowBits) return false;
  const chunkBytes = Math.max(64, Math.ceil(wanted / MOST_PIECES));
  return !inflateCapped(stream, { maxBytes: wanted, windowBits, chunkBytes }).ok;
}
