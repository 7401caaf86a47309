import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const run = (command: string, args: readonly string[]): string => {
  try {
    execFileSync(command, args, { encoding: "utf8", stdio: "pipe" });
    return "";
  } catch (thrown) {
    const { stdout, stderr } = thrown as { stdout: string; stderr: string };
    return `${stdout}${stderr}`.slice(-4_000) || String(thrown);
  }
};
const sources = globSync(["src/**/*.ts", "contracts/**/*.ts"]);

test("types hold under every strictness flag", () => {
  expect(run("tsc", ["-p", "tsconfig.json"])).toBe("");
});

test("types of the page's own script hold in a browser's world", () => {
  expect(run("tsc", ["-p", "tsconfig.page.json"])).toBe("");
});

test("formatter and linter have nothing to say", () => {
  expect(run("biome", ["check", "--error-on-warnings", "."])).toBe("");
});

test("imports follow the layers, without cycles", () => {
  expect(
    run("depcruise", ["--config", ".dependency-cruiser.cjs", "--output-type", "err", "contracts", "src"]),
  ).toBe("");
});

test("generated files equal a fresh build", () => {
  expect(run("node", ["tools/generate.ts", "--check"])).toBe("");
});

test("no source file is longer than 250 lines", () => {
  const long = [...sources, ...globSync(["src/**/*.py", "tools/**/*.ts"])].filter(
    (file) => lines(file) > 250,
  );
  expect(long).toEqual([]);
});

test("clock, randomness, environment, arguments and exit have one home each", () => {
  const homes = /^src\/(cli\/|core\/clock\.ts)/;
  const forbidden = /\b(Date\.now\(|new Date\(\)|Math\.random\(|randomUUID\(|process\.(env|argv|exit)\b)/;
  const guilty = sources.filter((file) => !homes.test(file) && forbidden.test(readFileSync(file, "utf8")));
  expect(guilty).toEqual([]);
});

const lines = (file: string): number => readFileSync(file, "utf8").split("\n").length - 1;
