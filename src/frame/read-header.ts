import { LIMITS } from "../../contracts/limits.ts";
import type { Bytes } from "../core/bytes.ts";
import { type Fault, fault } from "../core/fault.ts";
import { type Chunk, dataOf, placeOf } from "./scan-chunks.ts";
import type { FrameSpec } from "./spec.ts";

export type HeaderVerdict =
  | { readonly ok: true; readonly header: FrameSpec }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Bit depths that PNG knows for each colour type. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** PNG rule 2: a header that PNG knows, of a format that is handed over, and exactly what the job asks for. */
export function readHeader(file: Bytes, chunk: Chunk, expect: FrameSpec | null): HeaderVerdict {
  const where = placeOf(chunk);
  const refuse = (...faults: Fault[]): HeaderVerdict => ({ ok: false, faults });
  if (chunk.length !== 13)
    return refuse(
      fault("PNG_IHDR_INVALID", where, { expected: "13 bytes", actual: `${chunk.length} bytes` }),
    );
  const data = dataOf(file, chunk);
  const width = data.readUInt32BE(0);
  const height = data.readUInt32BE(4);
  const [depth = 0, color = 0, compression = 0, filter = 0, interlace = 0] = data.subarray(8);
  const stated = `${width} x ${height}, depth ${depth}, colour type ${color}, methods ${compression} ${filter} ${interlace}`;
  const size = (side: number): boolean => side > 0 && side <= 0x7fffffff;
  const methods = compression === 0 && filter === 0 && interlace <= 1;
  if (!size(width) || !size(height) || !methods || !(DEPTHS[color] ?? []).includes(depth))
    return refuse(fault("PNG_IHDR_INVALID", where, { actual: stated }));

  const faults: Fault[] = [];
  if (width > LIMITS.frameSide || height > LIMITS.frameSide)
    faults.push(fault("PNG_TOO_LARGE", where, { expected: `at most ${LIMITS.frameSide}`, actual: stated }));
  if ((depth !== 8 && depth !== 16) || (color !== 0 && color !== 2 && color !== 6) || interlace !== 0)
    return refuse(...faults, fault("PNG_FORMAT", where, { actual: stated }));
  const header: FrameSpec = { width, height, bitDepth: depth, colorType: color };
  if (expect !== null) faults.push(...compare(header, expect, where));
  return faults.length > 0 ? refuse(...faults) : { ok: true, header };
}

function compare(header: FrameSpec, expect: FrameSpec, where: string): Fault[] {
  const faults: Fault[] = [];
  const size = (spec: FrameSpec): string => `${spec.width} x ${spec.height}`;
  if (size(header) !== size(expect))
    faults.push(fault("PNG_SIZE_MISMATCH", where, { expected: size(expect), actual: size(header) }));
  if (header.bitDepth !== expect.bitDepth)
    faults.push(fault("PNG_DEPTH_MISMATCH", where, { expected: expect.bitDepth, actual: header.bitDepth }));
  if (header.colorType !== expect.colorType)
    faults.push(fault("PNG_COLOR_MISMATCH", where, { expected: expect.colorType, actual: header.colorType }));
  return faults;
}
