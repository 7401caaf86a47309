import { PNG } from "pngjs";
import type { Size } from "./messages.ts";

/** A PNG of RGB pixels: of pictures that are made here, never of frames. */
export function encodeRgb(size: Size, pixels: Buffer): Buffer {
  const picture = new PNG({ ...size, inputHasAlpha: false, colorType: 2, bitDepth: 8 });
  picture.data = pixels;
  return PNG.sync.write(picture, { inputHasAlpha: false, inputColorType: 2, colorType: 2, bitDepth: 8 });
}
