import { expect, test } from "vitest";
import { type Bytes, bytesInMemory, bytesThrough } from "../../../src/core/bytes.ts";
import { sha256, sha256Of } from "../../../src/core/digest.ts";

const CONTENT = Buffer.from(Array.from({ length: 1_000 }, (_, at) => at * 7));
/** All but the first and last ten bytes, as they are seen through a window of that size. */
const through = (windowBytes: number): Bytes =>
  bytesThrough(
    Buffer.alloc(windowBytes),
    {
      read: (at, length, into = Buffer.alloc(length)) => {
        CONTENT.copy(into, 0, at, at + length);
        return into.subarray(0, length);
      },
    },
    { from: 10, size: CONTENT.length - 20 },
  );
const inner = CONTENT.subarray(10, -10);

test.each([1, 7, 64, 980, 4_096])(
  "bytes through a window of %i are those in memory, wherever one reads",
  (size) => {
    const [seen, whole] = [through(size), bytesInMemory(inner)];
    expect(seen.size).toBe(whole.size);
    for (const [at, length] of [
      [0, 8],
      [4, 4],
      [200, 60],
      [190, 20],
      [979, 1],
      [980, 0],
      [0, 980],
      [3, 900],
    ] as const) {
      expect(seen.read(at, length).equals(whole.read(at, length))).toBe(true);
      const pieces = Array.from(seen.pieces(at, length), (piece) => [...piece]);
      expect(Buffer.from(pieces.flat()).equals(whole.read(at, length))).toBe(true);
      expect(pieces.every((piece) => piece.length > 0)).toBe(true);
    }
    expect(sha256Of(seen)).toBe(sha256(inner));
  },
);

test("pieces beyond the end are not waited for", () => {
  for (const bytes of [through(64), bytesInMemory(inner)])
    expect([...bytes.pieces(970, 100)].reduce((sum, piece) => sum + piece.length, 0)).toBe(10);
});

test("a read that failed leaves nothing to be taken for bytes", () => {
  let broken = false;
  const bytes = bytesThrough(
    Buffer.alloc(8),
    {
      read: (at, length, into = Buffer.alloc(length)) => {
        CONTENT.copy(into, 0, at, at + length);
        if (broken) throw new Error("gone");
        return into.subarray(0, length);
      },
    },
    { from: 0, size: 100 },
  );
  bytes.read(0, 8);
  broken = true;
  expect(() => bytes.read(50, 4)).toThrow("gone");
  broken = false;
  expect([...bytes.read(0, 8)]).toEqual([...CONTENT.subarray(0, 8)]);
});
