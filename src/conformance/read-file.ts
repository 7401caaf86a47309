import { join } from "node:path";
import type { z } from "zod";
import { HandoffError } from "../core/error.ts";
import { readCapped } from "../core/files/read-capped.ts";
import { readDocument } from "../core/json/read-document.ts";

const FILE_BYTES = 4 * 1024 * 1024;

/** Bytes of a file of a module; CONFORMANCE_MODULE_CHANGED names it when it is missing or no plain file. */
export async function readModuleFile(folder: string, name: string): Promise<Buffer> {
  const path = join(folder, name);
  const read = await readCapped(path, FILE_BYTES);
  if (!read.ok) throw new HandoffError("CONFORMANCE_MODULE_CHANGED", `It is ${path}: ${read.why}.`);
  return read.bytes;
}

/** A document of a module, or CONFORMANCE_MODULE_INVALID with the path inside it. */
export function narrowModuleFile<T>(schema: z.ZodType<T>, bytes: Buffer, path: string): T {
  const read = readDocument(schema, bytes, { bytes: FILE_BYTES });
  if (!read.ok) throw new HandoffError("CONFORMANCE_MODULE_INVALID", `${path}${read.path}: ${read.problem}.`);
  return read.value;
}
