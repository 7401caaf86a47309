import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { PNG_CODES } from "../../../contracts/codes/png.ts";
import { canonicalPngs, otherPngs } from "../../../fixtures/png/accepted.ts";
import { rejectedPngs } from "../../../fixtures/png/rejected.ts";
import { bytesThrough } from "../../../src/core/bytes.ts";
import {
  checkFrame,
  checkFrameFile,
  type FrameSpec,
  type FrameVerdict,
} from "../../../src/frame/check-frame.ts";
import { buildPng, GOOD_HEADER, headerChunk, patternPixels, pngChunk } from "../../support/png-build.ts";

const GOOD: FrameSpec = { width: 7, height: 6, bitDepth: 8, colorType: 6 };
const codesOf = (verdict: FrameVerdict): string[] =>
  verdict.ok ? [] : verdict.faults.map((fault) => fault.code);
const factsOf = (bytes: Buffer, keepRows = false) => {
  const verdict = checkFrame(bytes, { expect: null, keepRows });
  if (!verdict.ok) throw new Error(codesOf(verdict).join(" "));
  return verdict;
};

/** Longer than any header, shorter than what most chunks of the fixtures take. */
const throughWindow = (bytes: Buffer, windowBytes: number) => {
  const read = (at: number, length: number, into = Buffer.alloc(length)): Buffer =>
    into.subarray(0, bytes.copy(into, 0, at, at + length));
  return bytesThrough(Buffer.alloc(windowBytes), { read }, { from: 0, size: bytes.length });
};

test.each([...canonicalPngs(), ...otherPngs(), ...rejectedPngs()])(
  "a file that is read through a window has the verdict of one in memory: $name",
  ({ bytes }) => {
    const inMemory = checkFrame(bytes, { expect: null });
    for (const size of [13, 100])
      expect(checkFrameFile(throughWindow(bytes, size), { expect: null })).toEqual(inMemory);
  },
);

describe("a frame is refused", () => {
  test.each(rejectedPngs())("for $codes: $name", ({ codes, bytes }) => {
    expect([...new Set(codesOf(checkFrame(bytes, { expect: null })))].sort()).toEqual([...codes].sort());
  });

  test.each([
    ["width", { width: 8 }, "PNG_SIZE_MISMATCH"],
    ["height", { height: 7 }, "PNG_SIZE_MISMATCH"],
    ["bit depth", { bitDepth: 16 }, "PNG_DEPTH_MISMATCH"],
    ["colour type", { colorType: 2 }, "PNG_COLOR_MISMATCH"],
  ] as const)("when its %s is not that of the job", (_, fields, code) => {
    expect(codesOf(checkFrame(buildPng(), { expect: { ...GOOD, ...fields } }))).toEqual([code]);
  });

  test("with at most 100 faults listed", () => {
    const many = Array.from({ length: 300 }, () => pngChunk("VOID"));
    expect(codesOf(checkFrame(buildPng({ before: many }), { expect: null }))).toHaveLength(100);
  });

  test("when it has more chunks than a frame needs", () => {
    const one = pngChunk("IDAT");
    const bytes = buildPng({ data: [Buffer.alloc(one.length * 524_288, one)] });
    expect(codesOf(checkFrame(bytes, { expect: null }))).toEqual(["PNG_CHUNK_COUNT"]);
  });

  test("with the offset of the chunk that is wrong", () => {
    const verdict = checkFrame(buildPng({ before: [pngChunk("tRNS", "abcdef")] }), { expect: null });
    expect(verdict).toMatchObject({ ok: false, faults: [{ code: "PNG_TRANSPARENCY", where: "tRNS@33" }] });
  });

  test("at once and in little memory when 58 bytes call themselves an image of 2 GB", () => {
    const first = headerChunk({ width: 16_384, height: 16_384, bitDepth: 16 });
    const bytes = buildPng({ first: [first], data: [pngChunk("IDAT", "\x78\x9c\x63")] });
    const before = process.memoryUsage().rss;
    const expected: FrameSpec = { width: 16_384, height: 16_384, bitDepth: 16, colorType: 6 };
    for (const wanted of [null, expected]) expect(checkFrame(bytes, { expect: wanted }).ok).toBe(false);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });
});

test("every code of a PNG file is produced by a case of the fixtures or of this file", () => {
  const elsewhere = ["PNG_SIZE_MISMATCH", "PNG_DEPTH_MISMATCH", "PNG_COLOR_MISMATCH", "PNG_CHUNK_COUNT"];
  const warnings = ["PNG_CHUNK_DROPPED", "PNG_NOT_CANONICAL"];
  const produced = rejectedPngs().flatMap((rejected) => rejected.codes);
  const all = new Set([...produced, ...elsewhere, ...warnings, "PNG_DECODERS_DISAGREE"]);
  expect([...all].sort()).toEqual(Object.keys(PNG_CODES).sort());
});

describe("a frame is accepted", () => {
  test.each(canonicalPngs())("as canonical: $name", ({ bytes }) => {
    const verdict = factsOf(bytes);
    expect(verdict.warnings).toEqual([]);
    expect(verdict.facts.canonical).toBe(true);
  });

  test.each(otherPngs())("as not canonical: $name", ({ bytes }) => {
    const verdict = factsOf(bytes);
    expect(verdict.facts.canonical).toBe(false);
    expect(verdict.warnings.map((warning) => warning.code)).toContain("PNG_NOT_CANONICAL");
  });

  test("with a warning for each ancillary chunk that nobody knows", () => {
    const { warnings } = factsOf(buildPng({ before: [pngChunk("prIv"), pngChunk("sPLT", "x")] }));
    expect(warnings.map(({ code, where }) => `${code} ${where}`)).toEqual([
      "PNG_CHUNK_DROPPED prIv@33",
      "PNG_CHUNK_DROPPED sPLT@45",
      "PNG_NOT_CANONICAL prIv@33",
    ]);
  });

  test("with the samples that went in, whatever the filters", () => {
    for (const bitDepth of [8, 16])
      for (const colorType of [0, 2, 6])
        for (const width of [1, 2, 3, 5, 8, 64]) {
          const header = { ...GOOD_HEADER, bitDepth, colorType, width, height: 12 };
          const { facts } = factsOf(buildPng({ header }), true);
          expect(facts.rows, JSON.stringify(header)).toEqual(patternPixels(header));
        }
  });

  test("with a pixel digest over the line of its format and its rows", () => {
    const hash = createHash("sha256").update("7 6 8 6\n").update(patternPixels(GOOD_HEADER));
    expect(factsOf(buildPng()).facts.pixelsSha256).toBe(hash.digest("hex"));
  });

  test("with a colour digest over IHDR and the kept chunks in canonical order, text left out", () => {
    const gamma = pngChunk("gAMA", "\0\0\xb1\x8f");
    const bits = pngChunk("sBIT", "\x08\x08\x08\x08");
    const bytes = buildPng({ before: [bits, pngChunk("tEXt", "a\0b"), gamma] });
    const hash = createHash("sha256").update(Buffer.concat([headerChunk(), gamma, bits]));
    expect(factsOf(bytes).facts.colourChunks).toBe(hash.digest("hex"));
  });

  test("with its texts, the first of each keyword, cut to 1024 characters", () => {
    const texts = ["Frame\x00205", "Frame\x00206", "__proto__\0x", `Long\0${"y".repeat(2_000)}`, "no value"];
    const { text } = factsOf(buildPng({ before: texts.map((value) => pngChunk("tEXt", value)) })).facts;
    expect(Object.entries(text).map(([key, value]) => [key, value.slice(0, 5), value.length])).toEqual([
      ["Frame", "205", 3],
      ["__proto__", "x", 1],
      ["Long", "yyyyy", 1_024],
    ]);
  });

  test("from a view into a larger buffer, which stays as it is", () => {
    const whole = Buffer.concat([Buffer.from("abc"), buildPng(), Buffer.from("def")]);
    const before = Buffer.from(whole);
    const view = new Uint8Array(whole.buffer, whole.byteOffset + 3, whole.length - 6);
    expect(checkFrame(view, { expect: GOOD })).toMatchObject({
      ok: true,
      facts: { bytes: whole.length - 6 },
    });
    expect(whole).toEqual(before);
  });
});
