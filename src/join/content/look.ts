import { type FrameSpec, pixelBytes, type RowSink } from "../../frame/spec.ts";
import { Tally, type TallyFigures } from "./tally.ts";

export interface LookFigures extends TallyFigures {
  /** Every pixel of the frame has the same value; exact. */
  readonly constant: boolean;
  /** Every pixel has alpha 0; exact. False for frames without alpha. */
  readonly transparent: boolean;
}

/** A spread of the samples' luma of less than one 8-bit level: docs/CONTENT.md. */
export const BLANK_DEVIATION_PPM = 4_000;

/** Whether the samples show nothing, so that only the pixels between them could. */
export const seemsBlank = ({ constant, luma_deviation_ppm }: LookFigures): boolean =>
  !constant && luma_deviation_ppm < BLANK_DEVIATION_PPM;

/** What a frame looks like, from its unfiltered rows. */
export interface Look {
  readonly figures: LookFigures;
  /** RGB means of the cells of a grid of at most 32 x 18, by rows. */
  readonly thumbnail: Uint8Array;
}

/** Looks at rows that come block by block. */
export interface Looking {
  readonly take: RowSink;
  /** After the last row, and before another frame is looked at. */
  finish(): Look;
}

/** Looks at samples of a frame; what says "every pixel" reads every pixel, until one says otherwise. */
export function startLook(spec: FrameSpec): Looking {
  const tally = new Tally(spec);
  const pixel = Buffer.alloc(pixelBytes(spec));
  const sampleBytes = spec.bitDepth / 8;
  let [constant, transparent] = [true, spec.colorType === 6];
  return {
    take: (block, first) => {
      const rows = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
      if (first === 0) rows.copy(pixel);
      constant &&= isFilledWith(rows, pixel);
      tally.add(rows, first);
      transparent &&= !tally.opaque && isTransparent(rows, pixel.length, sampleBytes);
    },
    finish: () => ({ figures: { constant, transparent, ...tally.figures() }, thumbnail: tally.thumbnail() }),
  };
}

/** Looks at all rows of a frame at once. */
export function lookAt(rows: Buffer, spec: FrameSpec): Look {
  const looking = startLook(spec);
  looking.take(rows, 0);
  return looking.finish();
}

/** The rows begin with the pixel and equal themselves moved by one; it stops at the first that differs. */
const isFilledWith = (rows: Buffer, pixel: Buffer): boolean =>
  rows.compare(pixel, 0, pixel.length, 0, pixel.length) === 0 &&
  rows.compare(rows, pixel.length, rows.length, 0, rows.length - pixel.length) === 0;

function isTransparent(rows: Buffer, pixelBytes: number, sampleBytes: number): boolean {
  for (let pixel = pixelBytes; pixel <= rows.length; pixel += pixelBytes)
    for (let at = pixel - sampleBytes; at < pixel; at += 1) if (rows[at] !== 0) return false;
  return true;
}
