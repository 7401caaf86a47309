import { deflateRawSync, deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  InflateFault,
  type InflateSteps,
  nativeSteps,
  type PiecedStream,
  wholeSteps,
} from "../../../src/core/inflate-steps.ts";

const CONTENT = Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * at) >> 3));
const STREAM = deflateSync(CONTENT);

type Open = (stream: PiecedStream) => InflateSteps;

/** Everything that comes out in steps of a size, then what a further byte of room brings. */
function inflated(open: Open, pieces: readonly Uint8Array[], room: number) {
  const steps = open({ pieces, length: pieces.reduce((sum, piece) => sum + piece.length, 0) });
  try {
    const parts: Buffer[] = [];
    for (;;) {
      const into = Buffer.alloc(room);
      const got = steps.read(into);
      parts.push(into.subarray(0, got));
      if (got < room) return { bytes: Buffer.concat(parts), consumed: steps.consumed() };
    }
  } finally {
    steps.close();
  }
}

const whyOf = (open: Open, stream: Uint8Array): string | null => {
  try {
    inflated(open, [stream], 512);
    return null;
  } catch (thrown) {
    if (thrown instanceof InflateFault) return thrown.why;
    throw thrown;
  }
};

const native: Open = (stream) => {
  const steps = nativeSteps(stream);
  if (steps === null) throw new Error("this Node.js has another handle: frames cost fresh memory");
  return steps;
};

describe.each<[string, Open]>([
  ["into given memory", native],
  ["at once", (stream) => wholeSteps(stream, { maxBytes: CONTENT.length })],
])("inflating %s", (_, open) => {
  test.each([1, 7, 512, 4_999, 5_000, 5_001, 100_000])(
    "what was deflated comes back in steps of %i",
    (room) => {
      expect(inflated(open, [STREAM], room)).toEqual({ bytes: CONTENT, consumed: STREAM.length });
    },
  );

  test("the stream may come in any pieces, empty ones too", () => {
    const pieces = [...STREAM].flatMap((byte) => [Buffer.from([byte]), Buffer.alloc(0)]);
    expect(inflated(open, pieces, 600)).toEqual({ bytes: CONTENT, consumed: STREAM.length });
  });

  test("what follows the end is not used", () => {
    for (const rest of [[Buffer.concat([STREAM, Buffer.from("xyz")])], [STREAM, Buffer.from("xyz")]])
      expect(inflated(open, rest, 600).consumed).toBe(STREAM.length);
  });

  test("what is wrong with a stream has its name", () => {
    const bad = Buffer.from(STREAM);
    bad.writeUInt32BE(1, bad.length - 4);
    expect(whyOf(open, bad)).toBe("checksum");
    expect(whyOf(open, STREAM.subarray(0, -1))).toBe("truncated");
    expect(whyOf(open, STREAM.subarray(0, 40))).toBe("truncated");
    expect(whyOf(open, Buffer.alloc(0))).toBe("truncated");
    expect(whyOf(open, deflateRawSync(CONTENT))).toBe("corrupt");
    expect(whyOf(open, deflateSync(CONTENT, { dictionary: Buffer.from("a") }))).toBe("corrupt");
  });
});

describe.each<[string, (windowBits: number) => InflateSteps | null]>([
  ["into given memory", (windowBits) => nativeSteps(farBack(), windowBits)],
  ["at once", (windowBits) => wholeSteps(farBack(), { maxBytes: 9_000, windowBits, chunkBytes: 64 })],
])("inflating %s with a window", (_, open) => {
  test.each([
    [12, null],
    [11, "corrupt"],
  ])("of %i bits: a distance of 3000 is %s", (windowBits, why) => {
    const steps = open(windowBits);
    const into = Buffer.alloc(64);
    let seen: string | null = null;
    try {
      while (steps?.read(into) === into.length);
    } catch (thrown) {
      seen = thrown instanceof InflateFault ? thrown.why : "another";
    }
    steps?.close();
    expect(seen).toBe(why);
  });
});

/** Nothing but noise that comes again after 3000 bytes; the header states the smaller window. */
function farBack(): PiecedStream {
  const noise = Buffer.from(
    Array.from({ length: 3_000 }, (_, at) => Math.imul(at + 1, 2_654_435_761) >>> 24),
  );
  const stream = deflateSync(Buffer.concat([noise, noise, noise]), { level: 9 });
  stream.writeUInt16BE(0x3885 - (0x3885 % 31) + 31, 0);
  return { pieces: [stream], length: stream.length };
}
