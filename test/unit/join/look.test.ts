import { describe, expect, it } from "vitest";
import type { FrameSpec } from "../../../src/frame/spec.ts";
import { lookAt, seemsBlank } from "../../../src/join/content/look.ts";
import { lookCloser } from "../../../src/join/content/look-closer.ts";

const CHANNELS = { 0: 1, 2: 3, 6: 4 } as const;
const spec = (width: number, height: number, colorType: FrameSpec["colorType"] = 6): FrameSpec => ({
  width,
  height,
  bitDepth: 8,
  colorType,
});
/** Rows of one value, in 8 bits. */
const filled = ({ width, height, colorType }: FrameSpec, pixel: readonly number[]): Buffer =>
  Buffer.alloc(width * height * CHANNELS[colorType], Buffer.from(pixel.slice(0, CHANNELS[colorType])));

describe("lookAt", () => {
  it("calls a frame constant only when every pixel is the same, however far from a sample the other is", () => {
    const shape = spec(1920, 1080);
    const rows = filled(shape, [10, 20, 30, 255]);
    expect(lookAt(rows, shape).figures.constant).toBe(true);
    rows[rows.length - 2] = 31;
    expect(lookAt(rows, shape).figures).toMatchObject({ constant: false, luma_deviation_ppm: 0 });
  });

  it("calls a frame transparent only when every alpha is 0, whatever lies beneath", () => {
    const shape = spec(1920, 1080);
    const rows = filled(shape, [200, 100, 50, 0]);
    expect(lookAt(rows, shape).figures).toMatchObject({
      transparent: true,
      alpha_mean_ppm: 0,
      luma_mean_ppm: 0,
    });
    rows[rows.length - 1] = 1;
    expect(lookAt(rows, shape).figures.transparent).toBe(false);
    const opaque = spec(4, 4, 2);
    expect(lookAt(filled(opaque, [0, 0, 0]), opaque).figures).toMatchObject({
      transparent: false,
      alpha_mean_ppm: 1_000_000,
    });
  });

  it.each([
    ["unlit", [255, 0, 255], 1_000_000],
    ["in the shade", [120, 20, 130], 1_000_000],
    ["violet that is meant", [194, 107, 230], 0],
    ["red", [220, 30, 20], 0],
    ["nearly black", [20, 0, 20], 0],
  ])("takes magenta %s for what it is", (_name, pixel, share) => {
    const shape = spec(8, 8, 2);
    expect(lookAt(filled(shape, pixel), shape).figures.magenta_ppm).toBe(share);
  });

  it("reads the high bytes of 16-bit samples, and grey as grey", () => {
    const shape: FrameSpec = { width: 2, height: 2, bitDepth: 16, colorType: 0 };
    const { figures, thumbnail } = lookAt(Buffer.from([255, 0, 0, 255, 255, 0, 0, 255]), shape);
    expect(figures).toMatchObject({
      luma_mean_ppm: 500_000,
      luma_deviation_ppm: 500_000,
      luma_lowest_ppm: 0,
      luma_highest_ppm: 1_000_000,
    });
    expect([...thumbnail]).toEqual([255, 255, 255, 0, 0, 0, 255, 255, 255, 0, 0, 0]);
  });

  it("is followed by a look at every pixel where the samples show nothing", () => {
    for (const shape of [spec(1920, 1080), spec(1920, 1080, 2), spec(1920, 1080, 0)]) {
      const rows = filled(shape, [10, 10, 10, 255]);
      const closer = () =>
        lookCloser(lookAt(rows, shape), shape, (sink) => {
          const half = rows.length / 2;
          sink(rows.subarray(0, half), 0);
          sink(rows.subarray(half), shape.height / 2);
        }).figures;
      rows[rows.length - CHANNELS[shape.colorType]] = 11;
      expect(seemsBlank(closer())).toBe(true);
      rows.fill(255, rows.length - CHANNELS[shape.colorType]);
      const { luma_lowest_ppm, luma_highest_ppm, luma_deviation_ppm } = closer();
      expect([luma_deviation_ppm, luma_highest_ppm]).toEqual([0, 1_000_000]);
      expect(luma_lowest_ppm).toBe(lookAt(rows, shape).figures.luma_lowest_ppm);
    }
  });

  it("counts a hidden light for what its alpha shows of it, and of 16 bits the high byte", () => {
    const shape = { ...spec(1920, 1080), bitDepth: 16 } as const;
    const rows = Buffer.alloc(1920 * 1080 * 8, Buffer.from([0, 0, 0, 0, 0, 0, 255, 255]));
    rows.set([255, 255, 255, 255, 255, 255, 0, 0], rows.length - 8);
    const figures = () => lookCloser(lookAt(rows, shape), shape, (sink) => sink(rows, 0)).figures;
    expect(figures().luma_highest_ppm).toBe(0);
    rows.set([255, 0, 255, 0, 255, 0, 51, 0], rows.length - 8);
    expect(figures().luma_highest_ppm).toBe(200_000);
  });

  it.each([
    [1, 1, 1],
    [32, 18, 576],
    [1920, 1080, 576],
    [5000, 2, 64],
  ])("makes a thumbnail of at most 32 x 18 of a frame of %i x %i", (width, height, cells) => {
    const shape = spec(width, height, 2);
    const { thumbnail } = lookAt(filled(shape, [1, 2, 3]), shape);
    expect(thumbnail.length).toBe(3 * cells);
    expect([...thumbnail.slice(-3)]).toEqual([1, 2, 3]);
  });

  it("makes each sample of a thumbnail the rounded mean of its cell", () => {
    const shape = spec(64, 36, 2);
    const rows = Buffer.from(Array.from({ length: 64 * 36 * 3 }, (_, at) => (at * 7_919) >> 3));
    const { thumbnail } = lookAt(rows, shape);
    const expected = Array.from(thumbnail, (_, at) => {
      const [x, y] = [Math.floor(at / 3) % 32, Math.floor(at / 96)];
      const sample = (dx: number, dy: number): number =>
        rows[((2 * y + dy) * 64 + 2 * x + dx) * 3 + (at % 3)] ?? 0;
      return Math.round((sample(0, 0) + sample(1, 0) + sample(0, 1) + sample(1, 1)) / 4);
    });
    expect([...thumbnail]).toEqual(expected);
  });
});
