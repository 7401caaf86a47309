import type { FrameSpec } from "../../frame/spec.ts";

/** pngjs's inflated rows, in pieces and as a whole, the same without their filters, and the pixels. */
const COPIES = 4;

/** What decodeAgain takes of memory, every copy counted as RGBA. */
export const secondDecoderBytes = ({ width, height, bitDepth }: FrameSpec): number =>
  (COPIES * width * height * bitDepth) / 2;
