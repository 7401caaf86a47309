import { LIMITS } from "./limits.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Whether a value is JSON of at most 64 levels. It looks and copies nothing, so that every own key stays. */
export const isJson = (value: unknown): value is Json => isJsonWithin(value, LIMITS.jsonDepth);

/** The same of an object. */
export const isJsonObject = (value: unknown): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value) && isJson(value);

function isJsonWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object") return isScalar(value);
  if (value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isJsonWithin(item, levels - 1));
  return Object.values(value).every((member) => isJsonWithin(member, levels - 1));
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}
