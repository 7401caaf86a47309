import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const pages = globSync("man/*.1").sort();

test("mandoc has no warning about any man page", () => {
  expect(pages).toContain("man/render-handoff.1");
  const run = (page: string): string => {
    try {
      return execFileSync("mandoc", ["-Tlint", "-Wwarning", page], { encoding: "utf8" });
    } catch (thrown) {
      return String(Object(thrown).stdout);
    }
  };
  expect(pages.map(run).join("")).toBe("");
});

test("a page shows flags, choices and the exit codes", () => {
  const shown = execFileSync("mandoc", ["-Tascii", "-Owidth=100", "man/render-child.1"], {
    encoding: "utf8",
  });
  // bold is a letter, a backspace and the letter again
  const text = shown.replaceAll(new RegExp(`.${String.fromCharCode(8)}`, "g"), "");
  for (const part of ["--slot <slot>", 'choices: "a", "b"', "--drain-only", "EXIT STATUS", "Examples:"])
    expect(text).toContain(part);
});

test("the package names every page, so that a global installation has them", () => {
  const { man } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(man).toEqual(pages.map((page) => `./${page}`));
});
