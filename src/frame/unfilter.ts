import type { RowPlace } from "./row-place.ts";
import { undoAverage, undoSub, undoUp } from "./undo-linear.ts";
import { undoPaeth } from "./undo-paeth.ts";
import { undoAverageWords, undoSubWords, undoUpWords } from "./undo-words.ts";

export type Unfiltered =
  | { readonly ok: true; readonly rows: Buffer }
  | { readonly ok: false; readonly row: number; readonly filter: number };

export interface RowShape {
  readonly height: number;
  /** Bytes of a row without its filter byte. */
  readonly rowBytes: number;
  readonly pixelBytes: number;
}

/**
 * PNG rule 5: undoes every row's filter, in place. Rows move together as their filter bytes go: row y ends
 * up at y * rowBytes, which always lies before what is still to be read. The result shares `raw`'s memory.
 */
export function unfilter(raw: Buffer, shape: RowShape): Unfiltered {
  const { height, rowBytes, pixelBytes } = shape;
  const words = wordsOf(raw, shape);
  for (let row = 0; row < height; row += 1) {
    const from = row * (rowBytes + 1) + 1;
    const filter = raw[from - 1] ?? 0;
    const place = { from, to: row * rowBytes, rowBytes, pixelBytes, first: row === 0 };
    if (!undoRow(raw, filter, { ...place, words })) return { ok: false, row, filter };
  }
  return { ok: true, rows: raw.subarray(0, height * rowBytes) };
}

/** The image as 32-bit words, where every row will begin on one. */
function wordsOf(raw: Buffer, { height, rowBytes }: RowShape): Int32Array | null {
  if (raw.byteOffset % 4 !== 0 || rowBytes % 4 !== 0) return null;
  return new Int32Array(raw.buffer, raw.byteOffset, (height * rowBytes) / 4);
}

/** Whether the filter type is one that PNG knows. */
function undoRow(
  raw: Buffer,
  filter: number,
  place: RowPlace & { readonly words: Int32Array | null },
): boolean {
  const { words, from, to, rowBytes } = place;
  const wide = words === null || place.pixelBytes !== 4 ? null : { ...place, words };
  switch (filter) {
    case 0:
      raw.copyWithin(to, from, from + rowBytes);
      return true;
    case 1:
      if (wide === null) undoSub(raw, place);
      else undoSubWords(raw, wide);
      return true;
    case 2:
      if (words === null) undoUp(raw, place);
      else undoUpWords(raw, { ...place, words });
      return true;
    case 3:
      if (wide === null) undoAverage(raw, place);
      else undoAverageWords(raw, wide);
      return true;
    case 4:
      undoPaeth(raw, place);
      return true;
    default:
      return false;
  }
}
