import { type FrameSpec, pixelBytes, type RowSink } from "../../frame/spec.ts";
import { type Look, seemsBlank } from "./look.ts";
import { FULL, ppm, WHITE } from "./tally.ts";

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
      const level = lumaAt(rows, at);
      if (level < lowest) lowest = level;
      if (level > highest) highest = level;
    }
  });
  const extremes = { luma_lowest_ppm: ppm(lowest / WHITE), luma_highest_ppm: ppm(highest / WHITE) };
  return { ...look, figures: { ...look.figures, ...extremes } };
}

/** Luma of the pixel at a place as tally.wat has it: high bytes, as much as alpha shows of them. */
function lumaOf({ bitDepth, colorType }: FrameSpec): (rows: Uint8Array, at: number) => number {
  const sample = bitDepth / 8;
  const green = colorType === 0 ? 0 : sample;
  const opaque = (rows: Uint8Array, at: number): number =>
    luma(rows[at] ?? 0, rows[at + green] ?? 0, rows[at + 2 * green] ?? 0);
  if (colorType !== 6) return opaque;
  return (rows, at) => {
    const alpha = rows[at + 3 * sample] ?? 0;
    if (alpha === FULL) return opaque(rows, at);
    const shown = (value = 0): number => Math.floor((2 * value * alpha + FULL) / (2 * FULL));
    return luma(shown(rows[at]), shown(rows[at + green]), shown(rows[at + 2 * green]));
  };
}

const luma = (red: number, green: number, blue: number): number => (54 * red + 183 * green + 19 * blue) >> 4;
