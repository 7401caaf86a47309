import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PNG_CODES } from "../../../contracts/codes/png.ts";
import { ZIP_CODES } from "../../../contracts/codes/zip.ts";

const ROOT = join(import.meta.dirname, "../../..");
const page = readFileSync(join(ROOT, "docs/FRAMES-AND-BUNDLES.md"), "utf8");
const sources = ["src/frame", "src/bundle", "src/join"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({ name: join(folder, name), text: readFileSync(join(ROOT, folder, name), "utf8") })),
);

/** The rows of the two tables: each rule by its number, with its codes. */
const rules = page.split("\n").flatMap((line) => {
  const number = /^\| (\d+) \|/.exec(line)?.[1];
  const codes = line.match(/\b(PNG|ZIP)_[A-Z0-9_]+\b/g) ?? [];
  return number === undefined ? [] : [{ rule: `${codes[0]?.slice(0, 3)} rule ${number}`, codes }];
});

test("docs/FRAMES-AND-BUNDLES.md names every code of frames and bundles, and no other", () => {
  const named = new Set(page.match(/\b(PNG|ZIP)_[A-Z0-9_]+\b/g));
  expect([...named].sort()).toEqual([...Object.keys(PNG_CODES), ...Object.keys(ZIP_CODES)].sort());
});

describe("the rules of docs/FRAMES-AND-BUNDLES.md", () => {
  test("have one number each, and every code belongs to one", () => {
    const seven = (family: string) => [1, 2, 3, 4, 5, 6, 7].map((number) => `${family} rule ${number}`);
    expect(rules.map((one) => one.rule)).toEqual([...seven("PNG"), ...seven("ZIP")]);
    const codes = rules.flatMap((one) => one.codes);
    expect(new Set(codes).size).toBe(codes.length);
    const machine = ["ZIP_UNREADABLE"];
    const warnings = ["PNG_CHUNK_DROPPED"];
    expect([...codes, ...machine, ...warnings].sort()).toEqual(
      [...Object.keys(PNG_CODES), ...Object.keys(ZIP_CODES)].sort(),
    );
  });

  test.each(rules)("$rule: its id stands where its codes are made", ({ rule, codes }) => {
    const [family = "", number = ""] = rule.split(" rule ");
    const id = new RegExp(`${family} rules? [^;]*?\\b${number}\\b`);
    const homeless = codes.filter(
      (code) => !sources.some(({ text }) => text.includes(`"${code}"`) && id.test(text)),
    );
    expect(homeless).toEqual([]);
  });
});
