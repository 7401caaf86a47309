import { judgeChunks } from "./judge-chunks.ts";
import { SIGNATURE_BYTES, scanChunks, wholeOf } from "./scan-chunks.ts";

/**
 * The canonical form (PNG rule 6) of a file that passed checkFrame: signature, IHDR, the kept ancillary
 * chunks in their order, the IDAT chunks as written, IEND. Text, time, Exif and unknown ancillary chunks are
 * gone; image data is untouched. The canonical form of a canonical file is that file.
 */
export function canonicalFrame(bytes: Uint8Array): Buffer {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scan = scanChunks(file);
  const { kept, imageData } = judgeChunks(file, scan, null);
  const chunks = [...scan.chunks.slice(0, 1), ...kept, ...(imageData ?? []), ...scan.chunks.slice(-1)];
  return Buffer.concat([file.subarray(0, SIGNATURE_BYTES), ...chunks.map((chunk) => wholeOf(file, chunk))]);
}
