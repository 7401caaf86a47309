import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { CATALOGUE } from "../../../contracts/catalogue.ts";
import { shapesOf } from "../../../src/cli/completion/shape.ts";
import { commandTree } from "../../../tools/generated/command-tree.ts";

const PAGES = [...globSync("*.md"), ...globSync("docs/*.md")].sort();
const read = (page: string): string => readFileSync(page, "utf8");
const blocks = (page: string): string[] =>
  [...read(page).matchAll(/^```\w*[^\n]*\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
const { scripts } = JSON.parse(read("package.json"));

test("every claim of the threat model names a test that is there", () => {
  const rows = read("docs/THREAT-MODEL.md")
    .split("\n")
    .filter((line) => /^\|.*`test\//.test(line));
  expect(rows.length).toBeGreaterThan(25);
  const wrong = rows.flatMap((row) => {
    const [, file = "", title = ""] = /`(test\/[^`]+)`: "(.*)" \|$/.exec(row) ?? [];
    const there = existsSync(file) && read(file).includes(`"${title}"`);
    return there ? [] : [row];
  });
  expect(wrong).toEqual([]);
});

test("every table of claims has a test in each row", () => {
  const [claims = ""] = read("docs/THREAT-MODEL.md").split("## What is not defended");
  const rows = claims
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\|[ -]+\||\| test \|$/.test(line));
  expect(rows.filter((row) => !row.includes("`test/"))).toEqual([]);
});

test.each(PAGES)("every link within the project that %s has leads somewhere", (page) => {
  const text = read(page).replaceAll(/^```[\s\S]*?^```$/gm, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const dead = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : normalize(join(dirname(page), path));
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(target).has(anchor);
  });
  expect(dead).toEqual([]);
});

const anchorsOf = (page: string): Set<string> =>
  new Set(
    [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    ),
  );

test("every page of docs/ can be reached from the README", () => {
  const seen = new Set<string>();
  const visit = (page: string): void => {
    if (seen.has(page) || !page.endsWith(".md") || !existsSync(page)) return;
    seen.add(page);
    for (const [, link = ""] of read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g))
      if (!/^[a-z]+:/.test(link)) visit(normalize(join(dirname(page), link)));
  };
  visit("README.md");
  expect(PAGES.filter((page) => !seen.has(page))).toEqual([]);
});

const shapes = new Map(
  shapesOf(commandTree()).flatMap((shape) => shape.paths.map((path) => [path, shape] as const)),
);

/** What of a command line is none of ours: a command or a flag that is not there. */
function faultsOf(line: string): string[] {
  const words = line.split(/\s+/);
  let length = 1;
  while (length < words.length && shapes.has(words.slice(0, length + 1).join(" "))) length += 1;
  const shape = shapes.get(words.slice(0, length).join(" "));
  const next = words[length];
  const unknown =
    shape === undefined || (shape.commands.length > 0 && next !== undefined && /^[a-z]/.test(next));
  if (unknown) return ["no such command"];
  const flags = new Set([...shape.flags.map(({ long }) => long), "--help", "--version"]);
  const given = words
    .filter((word) => /^--[a-z]/.test(word))
    .map((word) => /^--[a-z0-9-]+/.exec(word)?.[0] ?? "");
  return given.filter((flag) => !flags.has(flag));
}

/** The command lines of a page's blocks that are ours. */
const commandsOf = (page: string): string[] =>
  blocks(page)
    .flatMap((text) => text.replaceAll(/\\\n\s*/g, " ").split("\n"))
    .flatMap((line) => line.replace(/^\s*\$ /, "").split(/&&|\|\||[|;]/))
    .map((line) =>
      line
        .trim()
        .replace(/^(sudo (-u \S+ )?|npx |exec )/, "")
        .replace(/\s+#.*$/, ""),
    )
    .filter((line) => /^(render-handoff|render-child|join) /.test(line));

test("every command that a page shows is one, with flags that it has", () => {
  const shown = PAGES.flatMap((page) => commandsOf(page).map((line) => ({ page, line })));
  expect(shown.length).toBeGreaterThan(30);
  expect(
    shown.flatMap(({ page, line }) => faultsOf(line).map((fault) => `${page}: ${line}: ${fault}`)),
  ).toEqual([]);
  expect(faultsOf("render-handoff serve --data x")).toEqual(["no such command"]);
  expect(faultsOf("join verify x --strict-contents")).toEqual(["--strict-contents"]);
});

test("every npm script that a page names is there, and every one is told in CONTRIBUTING or the README", () => {
  const named = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\bnpm run (?:--silent )?([a-z][a-z:-]*)/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  const told = `${read("CONTRIBUTING.md")}${read("README.md")}`;
  expect(Object.keys(scripts).filter((name) => !new RegExp(`npm (run )?${name}\\b`).test(told))).toEqual([]);
});

test("every code says what is wrong and what to do, in sentences", () => {
  const poor = Object.entries(CATALOGUE).filter(
    ([, { summary, action }]) =>
      !/^[A-Z'`<-].{10,}\.$/.test(summary) || !/^[A-Z'`<-].{5,}(\.|: -)$/.test(action),
  );
  expect(poor.map(([code]) => code)).toEqual([]);
});
