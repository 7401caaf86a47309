import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import loadAssembler from "wabt";

const SOURCES = [
  ["src/frame/rows", "ROWS_WASM"],
  ["src/join/content/tally", "TALLY_WASM"],
] as const;
const root = join(import.meta.dirname, "../..");
const assembler = await loadAssembler();

/** Modules of WebAssembly, assembled from their text: what runs is what was read. */
export const wasmModules = (): [path: string, text: string][] =>
  SOURCES.map(([path, name]) => {
    const lines = assembled(`${path}.wat`).match(/.{1,96}/g) ?? [];
    const literal = lines.map((line) => `  "${line}",`).join("\n");
    const from = `${basename(path)}.wat`;
    const text = `// Generated from ${from} by tools/generate.ts.\nexport const ${name} = [\n${literal}\n].join("");\n`;
    return [`${path}-wasm.ts`, text];
  });

/** In base64. */
function assembled(path: string): string {
  const features = { simd: true, bulk_memory: true };
  const module = assembler.parseWat(path, readFileSync(join(root, path), "utf8"), features);
  module.resolveNames();
  module.validate();
  const { buffer } = module.toBinary({});
  module.destroy();
  return Buffer.from(buffer).toString("base64");
}
