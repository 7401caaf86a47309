import { type Fault, fault } from "../core/fault.ts";

const WHERE = "IDAT";
const FULL_WINDOW_BITS = 15;
const HEADER_BYTES = 2;
const ADLER_BYTES = 4;

/**
 * PNG rule 4: window bits of a valid zlib header (CM 8, FCHECK, no preset dictionary) of a stream of `length`
 * bytes in pieces, or what is wrong with it.
 */
export function readZlibHeader(pieces: Iterable<Buffer>, length: number): number | Fault {
  if (length < HEADER_BYTES + ADLER_BYTES)
    return fault("PNG_ZLIB_TRUNCATED", WHERE, { actual: `${length} bytes` });
  const header = firstBytes(pieces).readUInt16BE(0);
  const windowBits = (header >>> 12) + 8;
  const dictionary = (header & 0x20) !== 0;
  if (((header >>> 8) & 0x0f) !== 8 || windowBits > FULL_WINDOW_BITS || header % 31 !== 0 || dictionary)
    return fault("PNG_ZLIB_HEADER", WHERE, { actual: `0x${header.toString(16).padStart(4, "0")}` });
  return windowBits;
}

/** A chunk may hold a single byte of it, or none. */
function firstBytes(pieces: Iterable<Buffer>): Buffer {
  let first = Buffer.alloc(0);
  for (const piece of pieces) {
    if (first.length >= HEADER_BYTES) break;
    first = Buffer.concat([first, piece.subarray(0, HEADER_BYTES)]);
  }
  return first;
}
