import { LIMITS } from "../../contracts/limits.ts";
import { inflateCapped } from "../core/inflate-capped.ts";
import { channelsOf, type FrameSpec } from "./spec.ts";

/** Whether a chunk's data is what PNG defines for it, in an image of that header. */
type ContentRule = (data: Buffer, header: FrameSpec) => boolean;

const ofLength =
  (length: number): ContentRule =>
  (data) =>
    data.length === length;

/**
 * The ancillary chunks that the canonical form keeps, in its order (PNG rules 3 and 6). They tell how the
 * samples are to be shown, so they are checked and must be equal over all frames of a handoff.
 */
export const KEPT_CHUNKS: ReadonlyMap<string, ContentRule> = new Map<string, ContentRule>([
  ["gAMA", ofLength(4)],
  ["cHRM", ofLength(32)],
  ["sRGB", (data) => data.length === 1 && data.readUInt8(0) <= 3],
  ["iCCP", (data) => isProfile(data)],
  ["cICP", (data) => data.length === 4 && data.readUInt8(2) === 0 && data.readUInt8(3) <= 1],
  [
    "sBIT",
    (data, header) =>
      data.length === channelsOf(header) && data.every((bits) => bits >= 1 && bits <= header.bitDepth),
  ],
  ["pHYs", (data) => data.length === 9 && data.readUInt8(8) <= 1],
  ["bKGD", (data, header) => data.length === (header.colorType === 0 ? 2 : 6)],
]);

const KEPT_ORDER = [...KEPT_CHUNKS.keys()];
/** Place of a kept chunk in the canonical order; -1 for every other chunk. */
export const keptRank = (type: string): number => KEPT_ORDER.indexOf(type);

/** iCCP: a name of 1 to 79 bytes, NUL, method 0, and a zlib stream of at most 1 MiB inflated. */
function isProfile(data: Buffer): boolean {
  const end = data.indexOf(0);
  if (end < 1 || end > 79 || data[end + 1] !== 0) return false;
  const stream = data.subarray(end + 2);
  const profile = inflateCapped(stream, { maxBytes: LIMITS.iccProfileBytes });
  return profile.ok && profile.consumed === stream.length;
}
