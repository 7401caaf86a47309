import type { Inspection } from "../../contracts/documents/inspection.ts";
import { harmless } from "../core/escape.ts";

/** `reject  png  path  CODE(place) …`: verdict first, so that lines can be sorted and counted by it. */
export function inspectionLine({ verdict, kind, file, findings }: Inspection): string {
  const codes = new Map<string, string>();
  for (const { code, path } of findings) if (!codes.has(code)) codes.set(code, path);
  const found = [...codes].map(([code, path]) => (path === "" ? code : `${code}(${harmless(path, 80)})`));
  const name = harmless(file, 4_096);
  return `${[verdict.padEnd(9), kind.padEnd(7), name, ...found].join(" ")}\n`;
}
