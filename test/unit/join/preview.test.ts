import { describe, expect, it } from "vitest";
import { picture } from "../../../fixtures/evidence-maker/picture.ts";
import { chunksOf, pngOf } from "../../../fixtures/evidence-maker/png.ts";
import { bytesInMemory } from "../../../src/core/bytes.ts";
import { scanChunks, wholeOf } from "../../../src/frame/scan-chunks.ts";
import { Preview } from "../../../src/join/draw/preview.ts";

const shape = { width: 32, height: 18, bitDepth: 8, colorType: 6 };
/** A frame whose image data stands in two chunks. */
const frame = (number: number): Buffer => {
  const chunks = chunksOf(picture(number, shape));
  return pngOf(
    chunks.flatMap((chunk) =>
      chunk.type === "IDAT"
        ? [
            { type: "IDAT", data: chunk.data.subarray(0, 9) },
            { type: "IDAT", data: chunk.data.subarray(9) },
          ]
        : [chunk],
    ),
  );
};
const chunksIn = (bytes: Buffer) => scanChunks(bytesInMemory(bytes));
const previewOf = (files: readonly Buffer[]): Buffer => {
  const preview = new Preview(shape, files.length);
  return Buffer.concat([...files.flatMap((file) => preview.add(file)), preview.end()]);
};

describe("Preview", () => {
  const files = [205, 206, 207].map(frame);
  const file = previewOf(files);
  const { chunks, whole, faults } = chunksIn(file);
  const types = chunks.map((chunk) => chunk.type);

  it("is a sound PNG that begins with the first frame as it is", () => {
    expect([whole, faults]).toEqual([true, []]);
    expect(types.filter((type) => !["pHYs", "gAMA", "sRGB"].includes(type))).toEqual([
      "IHDR",
      "acTL",
      "fcTL",
      "IDAT",
      "IDAT",
      "fcTL",
      "fdAT",
      "fdAT",
      "fcTL",
      "fdAT",
      "fdAT",
      "IEND",
    ]);
    const [first = Buffer.alloc(0)] = files;
    const own = chunksIn(first).chunks.filter((chunk) => chunk.type === "IDAT");
    const here = chunks.filter((chunk) => chunk.type === "IDAT");
    expect(here.map((chunk) => wholeOf(bytesInMemory(file), chunk))).toEqual(
      own.map((chunk) => wholeOf(bytesInMemory(first), chunk)),
    );
  });

  it("counts its control and data chunks in one sequence", () => {
    const numbered = chunks.filter((chunk) => chunk.type === "fcTL" || chunk.type === "fdAT");
    expect(numbered.map((chunk) => file.readUInt32BE(chunk.start + 8))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it("holds the image data of the later frames byte by byte", () => {
    const moved = chunks.filter((chunk) => chunk.type === "fdAT");
    const data = moved.map((chunk) => file.subarray(chunk.start + 12, chunk.start + 8 + chunk.length));
    const own = files.slice(1).flatMap((one) =>
      chunksIn(one)
        .chunks.filter((chunk) => chunk.type === "IDAT")
        .map((chunk) => one.subarray(chunk.start + 8, chunk.start + 8 + chunk.length)),
    );
    expect(data).toEqual(own);
  });
});
