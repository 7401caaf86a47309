import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const sources = globSync(["src/**/*.ts", "contracts/**/*.ts", "tools/**/*.{ts,mjs}"]);
const guilty = (pattern: RegExp, files: readonly string[] = sources): string[] =>
  files.filter((file) => pattern.test(readFileSync(file, "utf8")));
const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));

test("no text becomes code: no eval, no Function from text, no vm", () => {
  expect(guilty(/\beval\(|\bnew Function\b|\bFunction\("|node:vm"/)).toEqual([]);
});

test("no command goes through a shell: neither `shell: true` nor exec of a line", () => {
  expect(
    guilty(
      /\bshell:\s*true|(?<![.\w])exec(Sync)?\(|\bimport \{[^}]*\bexec(Sync)?\b[^}]*\} from "node:child_process"/,
    ),
  ).toEqual([]);
});

test("processes are started in a few places only", () => {
  const starts = guilty(/from "node:child_process"/).filter((file) => file.startsWith("src/"));
  expect(starts.filter((file) => !/^src\/(blender\/|cli\/|conformance\/)/.test(file))).toEqual([]);
});

test("certificates are always checked", () => {
  expect(guilty(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/)).toEqual([]);
});

test("nothing runs when the package is installed, and npm runs no script of others", () => {
  const hooks = [
    "preinstall",
    "install",
    "postinstall",
    "prepare",
    "prepublish",
    "preprepare",
    "postprepare",
  ];
  expect(hooks.filter((hook) => hook in scripts)).toEqual([]);
  for (const file of ["tools/setup.mjs", "deploy/container/Containerfile"])
    for (const line of readFileSync(file, "utf8").split("\n"))
      if (/\bnpm\b.*\b(ci|install|prune)\b/.test(line)) expect(line).toMatch(/ignore-scripts/);
});

test("every locked package is known by its digest", () => {
  const {
    packages,
  }: { packages: Record<string, { integrity?: string; link?: boolean; resolved?: string }> } = JSON.parse(
    readFileSync("package-lock.json", "utf8"),
  );
  const foreign = Object.entries(packages).filter(
    ([path, { link }]) => path.startsWith("node_modules/") && link !== true,
  );
  expect(foreign.length).toBeGreaterThan(100);
  expect(
    foreign.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? "")).map(([path]) => path),
  ).toEqual([]);
});

test("tests ask nobody beyond this machine", () => {
  const tests = globSync("test/**/*.ts").filter((file) => file !== "test/architecture/security.test.ts");
  expect(guilty(/\b(fetch|request|get)\(\s*["'`]https?:\/\/(?!127\.|localhost|\[::1\]|\$\{)/, tests)).toEqual(
    [],
  );
});
