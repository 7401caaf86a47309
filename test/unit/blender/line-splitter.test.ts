import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter } from "../../../src/blender/process/line-splitter.ts";

function lines(chunks: readonly Buffer[], caps = { lineBytes: 100, streamBytes: 1_000_000 }): string[] {
  const got: string[] = [];
  const splitter = new LineSplitter((line) => got.push(line), caps);
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return got;
}

test("lines end at LF, CR and both, empty ones are dropped, the last needs no end", () => {
  expect(lines([Buffer.from("one\ntwo\r\nthree\rfour\n\nfive")])).toEqual([
    "one",
    "two",
    "three",
    "four",
    "five",
  ]);
});

test("however a text is cut into chunks, its lines are the same", () => {
  const text = fc.array(fc.constantFrom("a", "é", "\n", "\r", "xyz", " "), { maxLength: 60 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(8), { maxLength: 40 }), (parts, sizes) => {
      const bytes = Buffer.from(parts.join(""));
      const chunks: Buffer[] = [];
      let at = 0;
      for (const size of sizes) {
        chunks.push(bytes.subarray(at, at + size));
        at = Math.min(bytes.byteLength, at + size);
      }
      chunks.push(bytes.subarray(at));
      expect(lines(chunks)).toEqual(lines([bytes]));
    }),
  );
});

test("of a line over its cap the beginning is kept and the next line is whole", () => {
  expect(
    lines([Buffer.from("0123456789"), Buffer.from("abc\nnext\n")], { lineBytes: 4, streamBytes: 100 }),
  ).toEqual(["0123", "next"]);
});

test("beyond the stream's cap only its end is cut into lines", () => {
  const flood = Array.from({ length: 3_000 }, (_, index) => Buffer.from(`line ${index} ${"x".repeat(60)}\n`));
  const got = lines(flood, { lineBytes: 100, streamBytes: 1_000 });
  expect(got.at(-1)).toMatch(/^line 2999 /);
  expect(got.length).toBeLessThan(1_000);
});

test("bytes that are no UTF-8 become replacement characters", () => {
  expect(lines([Buffer.from([0x61, 0xff, 0x0a])])).toEqual(["a\ufffd"]);
});
