import { expect, test } from "vitest";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";

test("keys are ordered by UTF-16 code units and white space is gone", () => {
  expect(
    canonicalBytes({ b: 1, a: [true, null], "\u20ac": "x", "\ufb33": 2, "\ud83d\ude00": 3 }).toString(),
  ).toBe('{"a":[true,null],"b":1,"€":"x","😀":3,"\ufb33":2}');
});

test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [undefined], ["\ud800"], [{ a: "\udfff" }]])(
  "%j has no canonical form",
  (value) => {
    expect(() => canonicalBytes(value)).toThrow();
  },
);
