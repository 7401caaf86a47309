import { readFileSync } from "node:fs";
import { join } from "node:path";
import loadAssembler from "wabt";

const SOURCE = "src/frame/rows.wat";
const assembler = await loadAssembler();

/** Modules of WebAssembly, assembled from their text: what runs is what was read. */
export function wasmModules(): [path: string, text: string][] {
  const text = readFileSync(join(import.meta.dirname, "../..", SOURCE), "utf8");
  const module = assembler.parseWat(SOURCE, text, { simd: true, bulk_memory: true });
  module.resolveNames();
  module.validate();
  const bytes = Buffer.from(module.toBinary({}).buffer).toString("base64");
  module.destroy();
  const lines = bytes.match(/.{1,96}/g) ?? [];
  const literal = lines.map((line) => `  "${line}",`).join("\n");
  return [
    [
      "src/frame/rows-wasm.ts",
      `// Generated from rows.wat by tools/generate.ts.\nexport const ROWS_WASM = [\n${literal}\n].join("");\n`,
    ],
  ];
}
