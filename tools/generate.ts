// Writes the generated files; with --check compares them with a fresh build and exits 1 on a difference.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generatedFiles } from "./generated/index.ts";

const root = join(import.meta.dirname, "..");
const check = process.argv[2] === "--check";
const files = generatedFiles();
/** Folders in which every file is generated. */
const stale = ["contracts/json-schema", "man"]
  .flatMap((folder) => entries(folder).map((name) => `${folder}/${name}`))
  .filter((path) => !files.has(path));
const different = [...files].filter(([path, text]) => current(path) !== text).map(([path]) => path);

if (check) {
  for (const path of [...different, ...stale])
    console.error(`generated file differs from a fresh build: ${path}`);
  if (different.length + stale.length > 0) process.exitCode = 1;
} else {
  for (const path of stale) rmSync(join(root, path));
  for (const path of different) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), files.get(path) ?? "");
  }
  console.log(`${files.size} generated files, ${different.length} written, ${stale.length} removed`);
}

function entries(folder: string): string[] {
  try {
    return readdirSync(join(root, folder));
  } catch {
    return [];
  }
}

function current(path: string): string | null {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return null;
  }
}
