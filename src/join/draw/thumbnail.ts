import type { Size } from "./messages.ts";

/** The size at which a frame fits a cell: whole-number enlargement of small frames, no crop, no stretch. */
export function fittingSize(frame: Size, cell: Size): Size {
  const ratio = Math.min(cell.width / frame.width, cell.height / frame.height);
  const scale = ratio >= 1 ? Math.floor(ratio) : ratio;
  return {
    width: Math.max(1, Math.round(frame.width * scale)),
    height: Math.max(1, Math.round(frame.height * scale)),
  };
}

export interface Source extends Size {
  /** RGBA. */
  readonly samples: ArrayLike<number>;
  readonly bitDepth: 8 | 16;
}

/** Box-filtered RGB pixels over a dark ground: each is the mean of all source pixels that it covers. */
export function thumbnail(source: Source, size: Size): Uint8Array {
  const out = new Uint8Array(size.width * size.height * 3);
  let at = 0;
  for (let y = 0; y < size.height; y += 1) {
    const rows = span(y, size.height, source.height);
    for (let x = 0; x < size.width; x += 1) {
      out.set(mean(source, span(x, size.width, source.width), rows), at);
      at += 3;
    }
  }
  return out;
}

type Span = readonly [from: number, to: number];

function span(index: number, parts: number, whole: number): Span {
  const from = Math.floor((index * whole) / parts);
  return [from, Math.max(from + 1, Math.ceil(((index + 1) * whole) / parts))];
}

const GROUND = [24, 26, 31] as const;

function mean(source: Source, [left, right]: Span, [top, bottom]: Span): [number, number, number] {
  const { samples, width, bitDepth } = source;
  const [full, shift] = bitDepth === 16 ? [65_535, 257] : [255, 1];
  let [red, green, blue, cover] = [0, 0, 0, 0];
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) {
      const at = (y * width + x) * 4;
      const alpha = (samples[at + 3] ?? 0) / full;
      red += (samples[at] ?? 0) * alpha;
      green += (samples[at + 1] ?? 0) * alpha;
      blue += (samples[at + 2] ?? 0) * alpha;
      cover += alpha;
    }
  const count = (right - left) * (bottom - top);
  const ground = 1 - cover / count;
  const value = (sum: number, of: number): number => Math.round(sum / count / shift + of * ground);
  return [value(red, GROUND[0]), value(green, GROUND[1]), value(blue, GROUND[2])];
}
