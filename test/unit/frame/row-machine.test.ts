import { expect, test } from "vitest";
import { rowMachine } from "../../../src/frame/row-machine.ts";

/** PNG's definition of the filters, byte by byte; knows nothing of rows.wat. */
function filterOf(type: number, a: number, b: number, c: number): number {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
  return [0, a, b, (a + b) >> 1, paeth][type] ?? 0;
}

/** Rows as they are filtered, row y by types[y]. */
function filtered(rows: Buffer, types: readonly number[], pixelBytes: number): Buffer {
  const rowBytes = rows.length / types.length;
  const at = (y: number, x: number): number => (y < 0 || x < 0 ? 0 : (rows[y * rowBytes + x] ?? 0));
  return Buffer.concat(
    types.map((type, y) => {
      const row = Buffer.alloc(rowBytes + 1, type);
      for (let x = 0; x < rowBytes; x += 1)
        row[x + 1] =
          at(y, x) - filterOf(type, at(y, x - pixelBytes), at(y - 1, x), at(y - 1, x - pixelBytes));
      return row;
    }),
  );
}

/** What the machine makes of them, block by block. */
function unfiltered(raw: Buffer, height: number, pixelBytes: number): Buffer {
  const rowBytes = raw.length / height - 1;
  const machine = rowMachine({ height, rowBytes, pixelBytes });
  const blocks: Buffer[] = [];
  for (let row = 0; row < height; row += machine.blockRows) {
    const rows = Math.min(machine.blockRows, height - row);
    machine.filtered.set(raw.subarray(row * (rowBytes + 1), (row + rows) * (rowBytes + 1)));
    blocks.push(Buffer.from(machine.unfilter(rows)));
  }
  return Buffer.concat(blocks);
}

/** The same bytes on every run. */
function noise(length: number, start: number): Buffer {
  let seed = start;
  return Buffer.from(
    Array.from({ length }, () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return seed >>> 16;
    }),
  );
}

test.each([1, 2, 3, 4, 6, 8])(
  "rows of %i bytes a pixel are what they were before they were filtered",
  (pixelBytes) => {
    for (const width of [1, 2, 3, 5, 16, 17, 333]) {
      const types = [4, 3, 2, 1, 0, 4, 4, 3, 3, 1, 2, 2, 0, 0, 1, 3, 2, 4];
      const rows = noise(width * pixelBytes * types.length, width);
      expect(unfiltered(filtered(rows, types, pixelBytes), types.length, pixelBytes), `${width}`).toEqual(
        rows,
      );
    }
  },
);

test("a frame of many blocks goes on above each of them", () => {
  const rows = noise(700 * 600, 1);
  const types = Array.from({ length: 600 }, (_, y) => (y % 4) + 1);
  expect(unfiltered(filtered(rows, types, 1), 600, 1).equals(rows)).toBe(true);
});

test("the first row of a frame has nothing above it, whatever frame was before", () => {
  const rows = noise(64, 3);
  unfiltered(filtered(noise(640, 4), [0, 0], 4), 2, 4);
  expect(unfiltered(filtered(rows, [4], 4), 1, 4)).toEqual(rows);
});

test("it stops at the row whose filter is none", () => {
  const raw = filtered(noise(40, 5), [0, 1, 2, 3], 2);
  raw[2 * 11] = 5;
  const machine = rowMachine({ height: 4, rowBytes: 10, pixelBytes: 2 });
  machine.filtered.set(raw);
  expect(machine.unfilter(4)).toHaveLength(20);
});

test("Paeth's choice is the defined one for every above-left and every fifth left and above", () => {
  const [rows, values] = [[] as number[], Array.from({ length: 52 }, (_, index) => index * 5)];
  // two pixels of eight bytes a row: above-left and above, then left and what Paeth is asked for
  for (let c = 0; c < 256; c += 8)
    for (const b of values)
      for (const a of values) {
        for (let lane = 0; lane < 8; lane += 1) rows.push(c + lane);
        for (let lane = 0; lane < 8; lane += 1) rows.push(b);
        for (let lane = 0; lane < 16; lane += 1) rows.push(a);
      }
  const all = Buffer.from(rows);
  const types = Array.from({ length: all.length / 16 }, (_, row) => (row % 2) * 4);
  expect(unfiltered(filtered(all, types, 8), types.length, 8).equals(all)).toBe(true);
});
