import type { Hash } from "node:crypto";
import type { Bytes } from "../core/bytes.ts";
import { startSha256 } from "../core/digest.ts";
import { CHUNK_FRAME_BYTES, type Chunk } from "./scan-chunks.ts";
import type { FrameSpec } from "./spec.ts";

/** `png-rows-v1` (PNG rule 5): the line of the header, then the unfiltered rows, samples big-endian. */
export const startPixelDigest = (header: FrameSpec): Hash =>
  startSha256().update(`${header.width} ${header.height} ${header.bitDepth} ${header.colorType}\n`, "ascii");

/** SHA-256 over chunks, whole as they stand in the file, in the given order. */
export function digestChunks(file: Bytes, chunks: readonly Chunk[]): string {
  const hash = startSha256();
  for (const { start, length } of chunks)
    for (const piece of file.pieces(start, CHUNK_FRAME_BYTES + length)) hash.update(piece);
  return hash.digest("hex");
}
