import { expect, test } from "vitest";
import { splitRange } from "../../../src/submit/split-range.ts";
import { codeOf } from "../../support/code-of.ts";

test("205-210 is three frames for each slot", () => {
  expect(splitRange({ first: 205, last: 210 })).toEqual([
    { id: "a", first: 205, last: 207 },
    { id: "b", first: 208, last: 210 },
  ]);
});

test("an odd frame goes to slot a, and two frames are one each", () => {
  expect(splitRange({ first: 0, last: 4 })[0]).toEqual({ id: "a", first: 0, last: 2 });
  expect(splitRange({ first: 7, last: 8 })[1]).toEqual({ id: "b", first: 8, last: 8 });
});

test.each([
  [205, 205],
  [210, 205],
  [-1, 5],
  [0, 10_000],
  [1_048_574, 1_048_575],
  [1.5, 4],
])("%d-%d cannot be split", (first, last) => {
  expect(codeOf(() => splitRange({ first, last }))).toBe("USAGE_FRAMES");
});
