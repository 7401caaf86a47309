import { expect, test } from "vitest";
import { releaseMemory } from "../../../src/core/release-memory.ts";

test("a large buffer is empty afterwards; a small one, whose memory others may share, is left alone", () => {
  const large = Buffer.alloc(1024 * 1024, 1);
  const small = Buffer.from("abc");
  releaseMemory(large);
  releaseMemory(small);
  expect([large.length, small.toString()]).toEqual([0, "abc"]);
});
