import { expect, test } from "vitest";
import { asHandoffError, HandoffError } from "../../../src/core/error.ts";

test("an error carries its code's sentence, exit code and cause", () => {
  const cause = new Error("disk");
  const error = new HandoffError("RENDER_DISK_FULL", "12 bytes left.", { cause });
  expect([error.code, error.exit, error.cause, error.message.endsWith("12 bytes left.")]).toEqual([
    "RENDER_DISK_FULL",
    3,
    cause,
    true,
  ]);
});

test("a foreign error becomes INTERNAL_UNEXPECTED and keeps its cause", () => {
  const cause = new TypeError("x");
  const error = asHandoffError(cause);
  expect([error.code, error.exit, error.cause]).toEqual(["INTERNAL_UNEXPECTED", 4, cause]);
  expect(asHandoffError(error)).toBe(error);
});
