import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalPngs, otherPngs } from "../../../fixtures/png/accepted.ts";
import { canonicalFrame } from "../../../src/frame/canonical-frame.ts";
import { checkFrame } from "../../../src/frame/check-frame.ts";
import { buildPng, gammaChunk, pngChunk } from "../../support/png-build.ts";

const factsOf = (bytes: Buffer) => {
  const verdict = checkFrame(bytes, { expect: null });
  if (!verdict.ok) throw new Error(verdict.faults.map((fault) => fault.code).join(" "));
  return verdict.facts;
};

describe("the canonical form", () => {
  test.each(canonicalPngs())("of a canonical frame is that frame: $name", ({ bytes }) => {
    expect(canonicalFrame(bytes)).toEqual(bytes);
  });

  test.each(otherPngs())("has the same pixels and colours, and is canonical: $name", ({ bytes }) => {
    const canonical = canonicalFrame(bytes);
    const [before, after] = [factsOf(bytes), factsOf(canonical)];
    expect(after.canonical).toBe(true);
    expect([after.pixelsSha256, after.colourChunks]).toEqual([before.pixelsSha256, before.colourChunks]);
    expect(canonicalFrame(canonical)).toEqual(canonical);
  });

  test("is the same for frames that differ in text and time alone", () => {
    const frame = (...extra: Buffer[]) => canonicalFrame(buildPng({ before: [gammaChunk()], after: extra }));
    expect(frame(pngChunk("tEXt", "Date\0monday"))).toEqual(
      frame(pngChunk("tIME", "1234567"), pngChunk("eXIf", "x")),
    );
  });
});

test("no change of a byte in a canonical frame is accepted", () => {
  const good = canonicalFrame(buildPng({ before: [gammaChunk()] }));
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const bytes = Buffer.from(good);
      bytes[at] = (bytes[at] ?? 0) ^ change;
      expect(checkFrame(bytes, { expect: null }).ok).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test("no cut and no added byte is accepted", () => {
  const good = buildPng();
  for (let length = 0; length < good.length; length += 1)
    expect(checkFrame(good.subarray(0, length), { expect: null }).ok).toBe(false);
  expect(checkFrame(Buffer.concat([good, Buffer.from([0])]), { expect: null }).ok).toBe(false);
});

test("bytes of any kind end in a verdict, also behind a sound signature and header", () => {
  const head = buildPng().subarray(0, 33);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (noise, behind) => {
      const bytes = behind ? Buffer.concat([head, noise]) : noise;
      expect(checkFrame(bytes, { expect: null }).ok).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});
