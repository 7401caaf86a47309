import { expect, test } from "vitest";
import { threadEnvironment } from "../../../src/core/thread-environment.ts";

test("of the environment a thread is given the place of compiled code, as this process was, and nothing else", () => {
  const { NODE_COMPILE_CACHE } = process.env;
  expect(threadEnvironment()).toEqual(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {});
});
