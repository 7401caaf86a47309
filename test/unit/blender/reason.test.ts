import { expect, test } from "vitest";
import { reasonOf } from "../../../src/blender/process/reason.ts";
import { HandoffError } from "../../../src/core/error.ts";

test.each([
  ["a code", "RENDER_RUN_DEADLINE", "RENDER_RUN_DEADLINE"],
  ["an error of ours", new HandoffError("LEASE_LOST"), "LEASE_LOST"],
  ["nothing", undefined, "INTERRUPTED"],
  ["a code of evidence, which is no reason to stop", "JOIN_COLOUR_MISMATCH", "INTERRUPTED"],
  ["any other text", "toString", "INTERRUPTED"],
])("a signal aborted with %s has a code as its reason", (_, reason, code) => {
  expect(reasonOf(AbortSignal.abort(reason))).toBe(code);
});
