import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CATALOGUE, RETIRED_CODES } from "../../contracts/catalogue.ts";
import { STEPS } from "../../contracts/flow.ts";

const outside = [
  "USAGE",
  "GATEWAY",
  "OUTPUT",
  "LEASE",
  "ZIP",
  "PNG",
  "INTERNAL",
  "STATE",
  "INTERRUPTED",
  "DEMO",
  "CONFORMANCE",
  "CHECK",
];
const prefixes = [...STEPS.map((step) => step.toUpperCase()), ...outside];
const text = globSync(["src/**/*.ts", "src/**/*.py", "contracts/**/*.ts"])
  .filter((file) => !file.startsWith("contracts/codes/"))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

test("wire codes are lower case, all others begin with a step or a family", () => {
  for (const [code, entry] of Object.entries(CATALOGUE)) {
    if (entry.kind === "wire") expect(code).toMatch(/^[a-z][a-z_]*$/);
    else expect(prefixes, code).toContain(code.split("_")[0]);
  }
});

test("a code with a step has that step as its prefix", () => {
  for (const [code, entry] of Object.entries(CATALOGUE)) {
    if (entry.kind === "error" && entry.step !== null)
      expect(code).toMatch(new RegExp(`^${entry.step.toUpperCase()}_`));
  }
});

test("every code of the catalogue is used by the product", () => {
  expect(Object.keys(CATALOGUE).filter((code) => !new RegExp(`\\b${code}\\b`).test(text))).toEqual([]);
});

test("no retired code is in use", () => {
  expect(RETIRED_CODES.filter((code) => Object.hasOwn(CATALOGUE, code))).toEqual([]);
});
