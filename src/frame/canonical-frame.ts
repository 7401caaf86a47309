import { bytesInMemory } from "../core/bytes.ts";
import { judgeChunks } from "./judge-chunks.ts";
import { CHUNK_FRAME_BYTES, SIGNATURE_BYTES, scanChunks } from "./scan-chunks.ts";

/**
 * The canonical form (PNG rule 6) of a file that passed checkFrame: signature, IHDR, the kept ancillary
 * chunks in their order, the IDAT chunks as written, IEND. Text, time, Exif and unknown ancillary chunks are
 * gone; image data is untouched. The canonical form of a canonical file is that file.
 */
export const canonicalFrame = (bytes: Uint8Array): Buffer => Buffer.concat(canonicalParts(bytes));

/** The canonical form as few pieces of the given memory: nothing is copied. */
export function canonicalParts(bytes: Uint8Array): Buffer[] {
  const file = bytesInMemory(bytes);
  const scan = scanChunks(file);
  const { kept, imageData } = judgeChunks(file, scan, null);
  const chunks = [...scan.chunks.slice(0, 1), ...kept, ...(imageData ?? []), ...scan.chunks.slice(-1)];
  const ranges = [{ start: 0, end: SIGNATURE_BYTES }];
  for (const { start, length } of chunks) {
    const end = start + CHUNK_FRAME_BYTES + length;
    const last = ranges.at(-1);
    if (last?.end === start) last.end = end;
    else ranges.push({ start, end });
  }
  return ranges.map(({ start, end }) => file.read(start, end - start));
}
