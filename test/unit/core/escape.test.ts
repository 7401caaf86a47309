import { expect, test } from "vitest";
import { harmless } from "../../../src/core/escape.ts";

test("control, bidirectional and zero-width characters are shown, not obeyed", () => {
  expect(harmless("a\u001b[31m\n\u202eb\u200bc\u2028")).toBe(
    "a\\u{1b}[31m\\u{a}\\u{202e}b\\u{200b}c\\u{2028}",
  );
});

test("an over-long string is cut to the length that was asked for", () => {
  expect(harmless("x".repeat(300), 10)).toBe("xxxxxxxxx…");
});

test("a cut through a pair of surrogates leaves no half of it", () => {
  expect(harmless(`${"x".repeat(8)}\u{1f600}\u{1f600}`, 10)).toBe("xxxxxxxx\ufffd…");
});

test("a lone surrogate becomes a replacement character", () => {
  expect(harmless("\ud800")).toBe("\ufffd");
});
