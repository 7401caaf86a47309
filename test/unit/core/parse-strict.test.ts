import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { JsonFault } from "../../../src/core/json/fault.ts";
import { type JsonCaps, parseStrict } from "../../../src/core/json/parse-strict.ts";

const kindOf = (text: string | Uint8Array, caps?: JsonCaps): string => {
  try {
    parseStrict(typeof text === "string" ? Buffer.from(text) : text, caps);
    return "accepted";
  } catch (thrown) {
    return thrown instanceof JsonFault ? thrown.kind : `escaped: ${String(thrown)}`;
  }
};

test.each([
  ['{"a":1,"a":2}', "duplicate_key"],
  ['{"a":1,"\\u0061":2}', "duplicate_key"],
  ['{"__proto__":1,"__proto__":2}', "duplicate_key"],
  ["9007199254740992", "number_range"],
  ["-9007199254740992", "number_range"],
  ["1e999", "number_range"],
  ["NaN", "syntax"],
  ["Infinity", "syntax"],
  ['"\\ud800"', "lone_surrogate"],
  ['{"\\udc00":1}', "lone_surrogate"],
  ["[".repeat(65) + "]".repeat(65), "too_deep"],
  ["", "syntax"],
  ["01", "syntax"],
  ["+1", "syntax"],
  ["1.", "syntax"],
  [".5", "syntax"],
  ["[1,]", "syntax"],
  ['{"a":1,}', "syntax"],
  ["{a:1}", "syntax"],
  ["'a'", "syntax"],
  ['"\t"', "syntax"],
  ['"\\x41"', "syntax"],
  ['"\\u12"', "syntax"],
  ['"open', "syntax"],
  ["1 2", "syntax"],
  ["\u00a01", "syntax"],
  ["/**/1", "syntax"],
  ["tru", "syntax"],
])("%s is refused as %s", (text, kind) => {
  expect(kindOf(text)).toBe(kind);
});

test("bytes that are not UTF-8, and a byte order mark, are refused", () => {
  expect(kindOf(Uint8Array.of(0x22, 0xff, 0x22))).toBe("not_utf8");
  expect(kindOf(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toBe("not_utf8");
  expect(kindOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toBe("syntax");
});

test("one byte over the cap is refused", () => {
  expect(kindOf("[1]", { bytes: 3 })).toBe("accepted");
  expect(kindOf("[1] ", { bytes: 3 })).toBe("too_large");
});

test("__proto__ is an ordinary key", () => {
  const value = parseStrict(Buffer.from('{"__proto__":{"x":1}}')) as Record<string, unknown>;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value)).toEqual(["__proto__"]);
});

test("one value over the cap is refused, whatever it is and wherever it stands", () => {
  for (const unit of ["1", "{}", '""', "null", "[]"]) {
    expect(kindOf(`[${unit},${unit}]`, { values: 3 })).toBe("accepted");
    expect(kindOf(`[${unit},${unit}]`, { values: 2 })).toBe("too_many_values");
  }
  expect(kindOf('{"a":[{"b":1}]}', { values: 4 })).toBe("accepted");
  expect(kindOf('{"a":[{"b":1}]}', { values: 3 })).toBe("too_many_values");
});

test("one key over the cap of different keys is refused, in one object or in many", () => {
  for (const text of ['{"a":1,"b":2}', '[{"a":1},{"b":1},{"a":2}]', '{"b":{"b":{"a":{}}}}']) {
    expect(kindOf(text, { keys: 2 })).toBe("accepted");
    expect(kindOf(text, { keys: 1 })).toBe("too_many_values");
  }
});

test("escapes are read as JSON.parse reads them", () => {
  const text = '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\ud83d\\ude00 plain"';
  expect(parseStrict(Buffer.from(text))).toBe(JSON.parse(text));
  for (const broken of ['"\\', '"\\"', '"\\u00g0"', '"a\\\n"', '"\\ud83d"'])
    expect(kindOf(broken)).toMatch(/^(syntax|lone_surrogate)$/);
});

test("what JSON.stringify writes is read back equal, and canonical bytes are a fixed point", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      if (!text.isWellFormed() || kindOf(text) === "number_range" || kindOf(text) === "lone_surrogate")
        return;
      expect(JSON.stringify(parseStrict(Buffer.from(text)))).toBe(text);
      const canonical = canonicalBytes(JSON.parse(text));
      expect(canonicalBytes(parseStrict(canonical))).toEqual(canonical);
    }),
    { numRuns: 500 },
  );
});

test("any bytes at all end in a value or a fault, never in another error", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(kindOf(bytes)).not.toMatch(/^escaped/);
    }),
    { numRuns: 2_000 },
  );
});
