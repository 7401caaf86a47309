import { PROBLEM_TYPE } from "../../contracts/documents/records.ts";
import { isJsonObject, type Json } from "../../contracts/json.ts";
import { readJson } from "../core/json/read-document.ts";
import type { PlainAnswer } from "./exchange-once.ts";

export const isSuccess = ({ status }: PlainAnswer): boolean => status >= 200 && status < 300;

/** `ok` for a success, else the problem document's code; the status where there is none. */
export function codeOfAnswer(answer: PlainAnswer): string {
  if (isSuccess(answer)) return "ok";
  const type = memberOf(answer, "type");
  return typeof type === "string" && type.startsWith(PROBLEM_TYPE)
    ? type.slice(PROBLEM_TYPE.length)
    : `HTTP ${answer.status}`;
}

/** A member of an answer that is a JSON object. */
export const memberOf = (answer: PlainAnswer, name: string): Json | undefined =>
  objectOf(answer.body)?.[name];

/** A body that is a JSON object; undefined for what is none. */
export function objectOf(bytes: Buffer | null): { readonly [key: string]: Json } | undefined {
  const read = bytes === null ? null : readJson(bytes);
  return read?.ok === true && isJsonObject(read.value) ? read.value : undefined;
}

export const differs = (name: string, seen: unknown, expected: string): string =>
  `${name} is ${String(seen ?? "absent")}, expected ${expected}`;

/** Where nothing is known to compare with, nothing is said. */
export const equal = (name: string, seen: unknown, expected: string | number | undefined): string | null =>
  expected === undefined || seen === expected ? null : differs(name, seen, String(expected));
