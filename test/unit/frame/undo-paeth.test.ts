import { expect, test } from "vitest";
import { nearest } from "../../../src/frame/undo-paeth.ts";

test("for every left, above and above-left the neighbour is the one that PNG's definition picks", () => {
  let different = 0;
  for (let a = 0; a < 256; a += 1)
    for (let b = 0; b < 256; b += 1)
      for (let c = 0; c < 256; c += 1) {
        const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - c - c)];
        const defined = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
        if (nearest(a, b, c) !== defined) different += 1;
      }
  expect(different).toBe(0);
});
