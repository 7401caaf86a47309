import { undoAverage, undoSub, undoUp } from "./undo-linear.ts";
import { undoPaeth } from "./undo-paeth.ts";

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
  for (let row = 0; row < height; row += 1) {
    const from = row * (rowBytes + 1) + 1;
    const place = { from, to: row * rowBytes, rowBytes, pixelBytes, first: row === 0 };
    const filter = raw[from - 1] ?? 0;
    switch (filter) {
      case 0:
        raw.copyWithin(place.to, from, from + rowBytes);
        break;
      case 1:
        undoSub(raw, place);
        break;
      case 2:
        undoUp(raw, place);
        break;
      case 3:
        undoAverage(raw, place);
        break;
      case 4:
        undoPaeth(raw, place);
        break;
      default:
        return { ok: false, row, filter };
    }
  }
  return { ok: true, rows: raw.subarray(0, height * rowBytes) };
}
