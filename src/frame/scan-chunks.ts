import { crc32 } from "node:zlib";
import { LIMITS } from "../../contracts/limits.ts";
import type { Bytes } from "../core/bytes.ts";
import { type Fault, fault } from "../core/fault.ts";

/** One chunk of the file: `start` is the offset of its length field, `length` that of its data alone. */
export interface Chunk {
  readonly type: string;
  readonly start: number;
  readonly length: number;
  readonly intact: boolean;
}

export interface ChunkScan {
  readonly chunks: readonly Chunk[];
  readonly faults: readonly Fault[];
  /** Whether the walk came to the end of the file: after a broken length or type nothing can be placed. */
  readonly whole: boolean;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
export const SIGNATURE_BYTES = 8;
/** Length, type and CRC around a chunk's data. */
export const CHUNK_FRAME_BYTES = 12;
const IDAT = 0x49444154;

export const placeOf = (chunk: Chunk): string => `${chunk.type}@${chunk.start}`;
export const dataOf = (file: Bytes, chunk: Chunk): Buffer => file.read(chunk.start + 8, chunk.length);
export const wholeOf = (file: Bytes, chunk: Chunk): Buffer =>
  file.read(chunk.start, CHUNK_FRAME_BYTES + chunk.length);

/** PNG rule 1, and of rule 3 that IEND is last: signature, lengths, types, CRC of every chunk. */
export function scanChunks(file: Bytes): ChunkScan {
  if (!file.read(0, SIGNATURE_BYTES).equals(SIGNATURE))
    return { chunks: [], faults: [fault("PNG_SIGNATURE", "@0")], whole: false };
  const chunks: Chunk[] = [];
  const faults: Fault[] = [];
  const stop = (last: Fault): ChunkScan => ({ chunks, faults: [...faults, last], whole: false });
  let at = SIGNATURE_BYTES;
  while (at < file.size) {
    if (file.size - at < CHUNK_FRAME_BYTES)
      return stop(fault("PNG_TRUNCATED", `@${at}`, { expected: CHUNK_FRAME_BYTES, actual: file.size - at }));
    const frame = file.read(at, 8);
    const length = frame.readUInt32BE(0);
    if (length > 0x7fffffff) return stop(fault("PNG_CHUNK_LENGTH", `@${at}`, { actual: length }));
    const code = frame.readUInt32BE(4);
    const type = code === IDAT ? "IDAT" : frame.toString("latin1", 4);
    if (!isChunkType(code))
      return stop(fault("PNG_CHUNK_TYPE", `@${at}`, { actual: `0x${code.toString(16).padStart(8, "0")}` }));
    if (length > file.size - at - CHUNK_FRAME_BYTES)
      return stop(
        fault("PNG_TRUNCATED", `@${at}`, { expected: length, actual: file.size - at - CHUNK_FRAME_BYTES }),
      );
    if (chunks.length === LIMITS.pngChunks)
      return stop(fault("PNG_CHUNK_COUNT", `@${at}`, { expected: LIMITS.pngChunks }));
    const end = at + 8 + length;
    let crc = 0;
    for (const piece of file.pieces(at + 4, 4 + length)) crc = crc32(piece, crc);
    const intact = crc === file.read(end, 4).readUInt32BE(0);
    const chunk = { type, start: at, length, intact };
    if (!intact) faults.push(fault("PNG_CRC", placeOf(chunk)));
    chunks.push(chunk);
    at = end + 4;
    if (chunk.type === "IEND") break;
  }
  if (chunks.at(-1)?.type !== "IEND") faults.push(fault("PNG_IEND_MISSING", `@${at}`));
  if (at < file.size) faults.push(fault("PNG_TRAILING_DATA", `@${at}`, { actual: file.size - at }));
  return { chunks, faults, whole: true };
}

/** Four ASCII letters, the third (the reserved bit) upper case. */
function isChunkType(code: number): boolean {
  for (let shift = 0; shift < 32; shift += 8) {
    const letter = ((code >>> shift) & 0xff) | 0x20;
    if (letter < 0x61 || letter > 0x7a) return false;
  }
  return ((code >>> 8) & 0x20) === 0;
}
