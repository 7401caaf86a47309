import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const page = readFileSync("docs/ARCHITECTURE.md", "utf8");

test("docs/ARCHITECTURE.md says why each dependency is there", () => {
  const named = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !name.startsWith("@types/"),
  );
  expect(named.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("dependencies are pinned to one version", () => {
  const loose = Object.entries<string>({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^(\d+\.\d+\.\d+|file:.*)$/.test(version),
  );
  expect(loose).toEqual([]);
});
