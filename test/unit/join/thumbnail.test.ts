import { describe, expect, it } from "vitest";
import { fittingSize, thumbnail } from "../../../src/join/draw/thumbnail.ts";

const CELL = { width: 320, height: 180 };

describe("thumbnails", () => {
  it("fit their cell without a stretch: large ones shrink, small ones grow by whole numbers", () => {
    expect(fittingSize({ width: 1920, height: 1080 }, CELL)).toEqual({ width: 320, height: 180 });
    expect(fittingSize({ width: 32, height: 18 }, CELL)).toEqual({ width: 320, height: 180 });
    expect(fittingSize({ width: 100, height: 100 }, CELL)).toEqual({ width: 100, height: 100 });
    expect(fittingSize({ width: 16_384, height: 1 }, CELL)).toEqual({ width: 320, height: 1 });
  });

  it("are the mean of what they cover", () => {
    const samples = [0, 0, 0, 255, 100, 200, 40, 255];
    const source = { width: 2, height: 1, bitDepth: 8, samples } as const;
    expect([...thumbnail(source, { width: 1, height: 1 })]).toEqual([50, 100, 20]);
    expect([...thumbnail(source, { width: 2, height: 1 })]).toEqual([0, 0, 0, 100, 200, 40]);
  });

  it("bring sixteen bits to eight and show a dark ground through what is transparent", () => {
    const white = { width: 1, height: 1, bitDepth: 16, samples: [65_535, 65_535, 65_535, 65_535] } as const;
    expect([...thumbnail(white, { width: 1, height: 1 })]).toEqual([255, 255, 255]);
    const clear = { width: 1, height: 1, bitDepth: 8, samples: [255, 255, 255, 0] } as const;
    expect(Math.max(...thumbnail(clear, { width: 1, height: 1 }))).toBeLessThan(40);
  });
});
