import { expect, test } from "vitest";
import { httpDate, readRetryAfter } from "../../../src/gateway-client/retry-after.ts";

const NOW = 1_800_000_000; // 2027-01-15T08:00:00Z

test("digits count from now, rounded up to a whole second", () => {
  expect(readRetryAfter("120", NOW)).toEqual({ kind: "at", at: NOW + 121 });
  expect(readRetryAfter(" 0 ", NOW)).toEqual({ kind: "at", at: NOW });
});

test("all three forms of HTTP-date give the same second", () => {
  const at = NOW + 90;
  expect(readRetryAfter("Fri, 15 Jan 2027 08:01:30 GMT", NOW)).toEqual({ kind: "at", at });
  expect(readRetryAfter("Friday, 15-Jan-27 08:01:30 GMT", NOW)).toEqual({ kind: "at", at });
  expect(readRetryAfter("Fri Jan 15 08:01:30 2027", NOW)).toEqual({ kind: "at", at });
});

test("a date in the past is now", () => {
  expect(readRetryAfter("Fri, 15 Jan 2021 08:01:30 GMT", NOW)).toEqual({ kind: "at", at: NOW });
});

test.each(["2592001", "99999999999999999999999", "Sun, 15 Jan 2040 08:01:30 GMT"])(
  "%s is over 30 days and holds",
  (header) => {
    expect(readRetryAfter(header, NOW).kind).toBe("hold");
  },
);

test("30 days to the second are waited for", () => {
  expect(readRetryAfter("2592000", NOW).kind).toBe("at");
});

test.each([
  null,
  "",
  "soon",
  "-1",
  "1.5",
  "1e3",
  "120, 120",
  "Fri, 31 Feb 2027 08:00:00 GMT",
  "2027-01-15T08:00:00Z",
])("%s is no Retry-After", (header) => {
  expect(readRetryAfter(header, NOW)).toEqual({ kind: "none" });
});

test("a two-digit year more than 50 years ahead is in the past", () => {
  expect(httpDate("Friday, 15-Jan-99 08:00:00 GMT", NOW)).toBeLessThan(NOW);
});
