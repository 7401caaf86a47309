import { deflateRawSync, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { inflateCapped } from "../../../src/core/inflate-capped.ts";

const content = Buffer.from("ten bytes.");
const stream = deflateSync(content);
const why = (input: Uint8Array, maxBytes = 10): string => {
  const result = inflateCapped(input, { maxBytes });
  return result.ok ? `${result.bytes.length} of ${result.consumed}` : result.why;
};

test("a stream is inflated up to its cap, with the bytes that it took", () => {
  expect(inflateCapped(stream, { maxBytes: 10 })).toEqual({
    ok: true,
    bytes: content,
    consumed: stream.length,
  });
  expect(why(Buffer.concat([stream, content]))).toBe(`10 of ${stream.length}`);
  expect(why(stream, 9)).toBe("too_long");
  expect(why(stream, 0)).toBe("too_long");
  expect(why(deflateSync(Buffer.alloc(0)), 0)).toBe("0 of 8");
});

test("deflate without a zlib header is inflated on request", () => {
  const raw = deflateRawSync(content);
  expect(inflateCapped(raw, { maxBytes: 10, raw: true })).toMatchObject({ ok: true, consumed: raw.length });
});

test("what is wrong with a stream is told apart", () => {
  const wrongSum = Buffer.from(stream);
  wrongSum.writeUInt32BE(1, stream.length - 4);
  expect(why(wrongSum)).toBe("checksum");
  expect(why(stream.subarray(0, -1))).toBe("truncated");
  expect(why(Buffer.alloc(20, 7))).toBe("corrupt");
  expect(why(deflateSync(content, { dictionary: Buffer.from("x") }))).toBe("corrupt");
  expect(why(Buffer.alloc(0))).toBe("truncated");
});

test("output in the smallest pieces is the same", () => {
  const long = Buffer.alloc(1_000, "0123456789");
  expect(inflateCapped(deflateSync(long), { maxBytes: 1_000, chunkBytes: 64 })).toMatchObject({
    bytes: long,
  });
});
