import { describe, expect, it } from "vitest";
import { compareFrames, type SeenFrame } from "../../../src/join/content/compare.ts";
import { lookAt } from "../../../src/join/content/look.ts";

const grey = { width: 1, height: 1, bitDepth: 8, colorType: 0 } as const;
const seen = (frame: number, slot: "a" | "b", level: number): SeenFrame => ({
  frame,
  slot,
  pixelsSha256: String(level),
  look: lookAt(Buffer.from([level]), grey),
});

describe("compareFrames", () => {
  it("holds the seam against the largest step within the slots", () => {
    const { neighbours, seam } = compareFrames([
      seen(205, "a", 0),
      seen(206, "a", 51),
      seen(207, "a", 51),
      seen(208, "b", 255),
      seen(209, "b", 229),
    ]);
    expect(seam).toEqual({ difference_ppm: 800_000, within_slots_ppm: 200_000 });
    expect(neighbours.map((pair) => pair.same_pixels)).toEqual([false, true, false, false]);
  });

  it("compares no frames that are not neighbours, and no seam without a step within a slot", () => {
    expect(compareFrames([seen(205, "a", 0), seen(207, "a", 9)]).neighbours).toEqual([]);
    expect(compareFrames([seen(1, "a", 0), seen(2, "b", 9)]).seam).toBeNull();
    expect(compareFrames([]).frames).toEqual([]);
  });
});
