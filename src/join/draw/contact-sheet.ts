import type { Slot } from "../../../contracts/flow.ts";
import { encodeRgb } from "./encode-rgb.ts";
import { GLYPH, GLYPHS } from "./glyphs.ts";
import type { Size } from "./messages.ts";

export interface SheetFrame {
  readonly frame: number;
  readonly slot: Slot;
  readonly size: Size;
  /** RGB. */
  readonly pixels: Uint8Array;
}

type Colour = readonly [number, number, number];
const COLOURS = {
  ground: [21, 23, 28],
  cell: [30, 33, 40],
  ink: [214, 219, 227],
  a: [79, 179, 191],
  b: [224, 164, 88],
} as const satisfies Record<string, Colour>;

/** Cell for one thumbnail, and the room around it, in pixels. */
export const CELL: Size = { width: 320, height: 180 };
const [MARGIN, GAP, BAR, LABEL, SCALE] = [28, 20, 4, 26, 2];

/** Three columns for six frames; wider than high for any number. */
const columnsFor = (count: number): number => Math.min(count, Math.ceil(Math.sqrt(count * 1.5)));

/** The contact sheet of an accepted sequence: thumbnails in order, frame numbers, a colour for each slot. */
export function contactSheet(frames: readonly SheetFrame[]): Buffer {
  const columns = columnsFor(frames.length);
  const rows = Math.ceil(frames.length / columns);
  const step = { x: CELL.width + GAP, y: CELL.height + BAR + LABEL + GAP };
  const sheet = new Canvas({
    width: 2 * MARGIN + columns * step.x - GAP,
    height: 2 * MARGIN + rows * step.y - GAP,
  });
  frames.forEach((frame, index) => {
    const left = MARGIN + (index % columns) * step.x;
    const top = MARGIN + Math.floor(index / columns) * step.y;
    sheet.fill({ left, top, ...CELL }, COLOURS.cell);
    sheet.paste(frame, {
      left: left + ((CELL.width - frame.size.width) >> 1),
      top: top + ((CELL.height - frame.size.height) >> 1),
    });
    const colour = COLOURS[frame.slot];
    sheet.fill({ left, top: top + CELL.height, width: CELL.width, height: BAR }, colour);
    const baseline = top + CELL.height + BAR + 8;
    sheet.text(String(frame.frame).padStart(4, "0"), { left, top: baseline, colour: COLOURS.ink });
    sheet.text(frame.slot, { left: left + CELL.width - GLYPH.width * SCALE, top: baseline, colour });
  });
  return sheet.encode();
}

interface Point {
  readonly left: number;
  readonly top: number;
}

class Canvas {
  private readonly size: Size;
  private readonly pixels: Buffer;

  constructor(size: Size) {
    this.size = size;
    this.pixels = Buffer.alloc(size.width * size.height * 3);
    this.fill({ left: 0, top: 0, ...size }, COLOURS.ground);
  }

  fill(area: Point & Size, colour: Colour): void {
    const row = Buffer.alloc(area.width * 3, Buffer.from(colour));
    for (let y = 0; y < area.height; y += 1) row.copy(this.pixels, this.at(area.left, area.top + y));
  }

  paste({ size, pixels }: SheetFrame, { left, top }: Point): void {
    for (let y = 0; y < size.height; y += 1) {
      const row = pixels.subarray(y * size.width * 3, (y + 1) * size.width * 3);
      this.pixels.set(row, this.at(left, top + y));
    }
  }

  text(text: string, { left, top, colour }: Point & { readonly colour: Colour }): void {
    [...text].forEach((letter, index) => {
      const start = left + index * GLYPH.advance * SCALE;
      for (const [y, row] of (GLYPHS[letter] ?? []).entries())
        for (const [x, dot] of [...row].entries())
          if (dot === "#")
            this.fill({ left: start + x * SCALE, top: top + y * SCALE, width: SCALE, height: SCALE }, colour);
    });
  }

  encode(): Buffer {
    return encodeRgb(this.size, this.pixels);
  }

  private readonly at = (x: number, y: number): number => (y * this.size.width + x) * 3;
}
