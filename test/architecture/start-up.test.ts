import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:([^;]*?)\s*from\s+)?"([^"]+)"/gms;

/** Packages that a module loads before it runs, with who imports each: types and dynamic imports are left out. */
function packagesOf(entry: string): Map<string, string> {
  const [found, seen] = [new Map<string, string>(), new Set<string>()];
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, names = "", target = ""] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      const listed = names.replace(/[{}]/g, "").split(",");
      if (listed.length > 0 && listed.every((name) => /^\s*(type\s.*)?$/s.test(name)) && names !== "")
        continue;
      if (target.startsWith(".")) visit(join(dirname(file), target));
      else if (!target.startsWith("node:")) found.set(target, relative(root, file));
    }
  };
  visit(join(root, entry));
  return found;
}

// the schema library alone takes longer to load than six frames take to decode
test.each([
  ["the decoders of join", "src/cli/bin/join.ts", []],
  ["a command", "src/cli/main.ts", ["commander"]],
  ["a verdict", "src/join/judge-evidence.ts", ["canonicalize"]],
  ["the call of a verdict", "src/cli/actions/join-verify.ts", []],
  ["a decoder thread", "src/join/decode/worker.ts", ["yauzl"]],
])("%s begins with no other package than it needs", (_, entry, packages) => {
  expect(Object.fromEntries(packagesOf(entry))).toEqual(
    Object.fromEntries(packages.map((name) => [name, expect.any(String)])),
  );
});
