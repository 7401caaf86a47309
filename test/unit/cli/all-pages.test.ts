import { expect, test } from "vitest";
import { allPages } from "../../../src/cli/all-pages.ts";

test("a list is asked for from each cursor until there is none, and comes whole and in order", async () => {
  const pages = new Map([
    [undefined, { items: [1, 2], cursor: "two" }],
    ["two", { items: [3], cursor: "three" }],
    ["three", { items: [], cursor: null }],
  ]);
  const asked: unknown[] = [];
  const all = await allPages(async (from) => {
    asked.push(from);
    return pages.get(from.cursor) ?? { items: [], cursor: null };
  });
  expect(all).toEqual([1, 2, 3]);
  expect(asked).toEqual([{}, { cursor: "two" }, { cursor: "three" }]);
});
