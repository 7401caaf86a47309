import type { z } from "zod";
import { JsonFault } from "./fault.ts";
import { type Json, type JsonCaps, parseStrict } from "./parse-strict.ts";

export type DocumentRead<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly path: string; readonly problem: string };

/** Narrows attacker-controlled bytes to a document, once, at the edge; never throws for their content. */
export function readDocument<T>(schema: z.ZodType<T>, bytes: Uint8Array, caps?: JsonCaps): DocumentRead<T> {
  const read = readJson(bytes, caps);
  return read.ok ? narrow(schema, read.value) : read;
}

/** Strict JSON of attacker-controlled bytes, or what is wrong with it. */
export function readJson(bytes: Uint8Array, caps?: JsonCaps): DocumentRead<Json> {
  try {
    return { ok: true, value: parseStrict(bytes, caps) };
  } catch (thrown) {
    if (thrown instanceof JsonFault) return { ok: false, path: "", problem: thrown.message };
    throw thrown;
  }
}

/** Narrows a parsed value; the first issue's path is a JSON pointer. */
export function narrow<T>(schema: z.ZodType<T>, value: unknown): DocumentRead<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  return {
    ok: false,
    path: (issue?.path ?? []).map((part) => `/${String(part)}`).join(""),
    problem: issue?.message ?? "invalid",
  };
}
