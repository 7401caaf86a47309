import { type FrameSpec, pixelBytes, type RowSink } from "../../frame/spec.ts";
import { type Look, seemsBlank } from "./look.ts";
import { ppm, WHITE } from "./tally.ts";

/**
 * The same look with the darkest and the brightest of all pixels, where the samples show nothing. `read` gives the
 * rows once more: such frames are few, and every other one is spared this.
 */
export function lookCloser(look: Look, spec: FrameSpec, read: (sink: RowSink) => void): Look {
  if (!seemsBlank(look.figures)) return look;
  let [lowest, highest] = [WHITE, 0];
  const lumaAt = lumaOf(spec);
  const step = pixelBytes(spec);
  read((rows) => {
    for (let at = 0; at < rows.length; at += step) {
      const luma = lumaAt(rows, at);
      if (luma < lowest) lowest = luma;
      if (luma > highest) highest = luma;
    }
  });
  const extremes = { luma_lowest_ppm: ppm(lowest / WHITE), luma_highest_ppm: ppm(highest / WHITE) };
  return { ...look, figures: { ...look.figures, ...extremes } };
}

/** Luma of the pixel at a place as tally.wat has it: high bytes, as much as alpha shows of them. */
function lumaOf({ bitDepth, colorType }: FrameSpec): (rows: Uint8Array, at: number) => number {
  const sample = bitDepth / 8;
  const green = colorType === 0 ? 0 : sample;
  return (rows, at) => {
    const alpha = colorType === 6 ? (rows[at + 3 * sample] ?? 0) : 255;
    const shown = (value = 0): number => Math.floor((2 * value * alpha + 255) / 510);
    const [red, mid, blue] = [shown(rows[at]), shown(rows[at + green]), shown(rows[at + 2 * green])];
    return (54 * red + 183 * mid + 19 * blue) >> 4;
  };
}
