import { expect, test } from "vitest";
import { secondsOf, timestamp } from "../../../src/core/clock.ts";

test("a second and its text are each other's inverse", () => {
  for (const seconds of [0, 110, 1_793_000_000, 253_402_300_799])
    expect(secondsOf(timestamp(seconds))).toBe(seconds);
  expect(timestamp(110)).toBe("1970-01-01T00:01:50Z");
});

test.each([
  ["2026-11-30"],
  ["2026-11-30T10:00:00"],
  ["2026-11-30T10:00:00+00:00"],
  ["2026-02-30T10:00:00Z"],
  ["2026-11-30T24:00:00Z"],
  ["2026-11-30T10:00:60Z"],
  ["1969-12-31T23:59:59Z"],
  [""],
])("%s is no time", (text) => {
  expect(secondsOf(text)).toBeNull();
});

test("a fraction is cut, as recorded envelopes carry one", () => {
  expect(secondsOf("1970-01-01T00:00:01.999Z")).toBe(1);
});
