import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkNode } from "../../../src/cli/check-node.ts";
import { HandoffError } from "../../../src/core/error.ts";

const codeWith = (version: string): string | null => {
  try {
    checkNode(version);
    return null;
  } catch (thrown) {
    if (thrown instanceof HandoffError) return `${thrown.code} ${thrown.exit}`;
    throw thrown;
  }
};

test("a Node.js below the one that the package asks for is a usage error of its own", () => {
  expect(["18.20.1", "22.99.0", "23.11.1"].map(codeWith)).toEqual([
    "USAGE_NODE_TOO_OLD 2",
    "USAGE_NODE_TOO_OLD 2",
    "USAGE_NODE_TOO_OLD 2",
  ]);
  expect(["24.0.0", "24.22.3", "26.1.0", process.versions.node].map(codeWith)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test("the least version is that of package.json", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8");
  const { engines } = z.object({ engines: z.object({ node: z.string() }) }).parse(JSON.parse(text));
  expect([
    codeWith(engines.node.replace(">=", "")),
    codeWith(`${Number(engines.node.slice(2)) - 1}.0.0`),
  ]).toEqual([null, "USAGE_NODE_TOO_OLD 2"]);
});
