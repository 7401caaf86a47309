import type { SheetFrame } from "../draw/contact-sheet.ts";
import { encodeRgb } from "../draw/encode-rgb.ts";
import type { VerifiedFrames } from "../verdict.ts";
import type { Picture } from "./page/page.ts";

/** Thumbnails as the page shows them, by frame. */
export function picturesOf(
  thumbnails: readonly SheetFrame[],
  { job }: VerifiedFrames,
): ReadonlyMap<number, Picture> {
  return new Map(
    thumbnails.map(({ frame, size, pixels }) => {
      const png = encodeRgb(size, Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength));
      return [frame, { ...size, png, enlarged: size.width > job.render.width }];
    }),
  );
}
