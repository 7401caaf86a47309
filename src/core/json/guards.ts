import { isJson, isJsonObject } from "../../../contracts/json.ts";

/**
 * Plain checks of parsed JSON, for what is generated from the schemas: a guard says yes only where the schema
 * would, in a fraction of the time that it takes to load the schema library. Its no says nothing: the schema
 * judges then, and tells what is wrong.
 */
export type Guard = (value: unknown) => boolean;

/** Any JSON, and any JSON object, with whatever members. */
export const json: Guard = isJson;
export const record: Guard = isJsonObject;
export const bool: Guard = (value) => typeof value === "boolean";

export const oneOf =
  (...values: readonly unknown[]): Guard =>
  (value) =>
    values.includes(value);

export const nullable =
  (guard: Guard): Guard =>
  (value) =>
    value === null || guard(value);

export const either =
  (...guards: readonly Guard[]): Guard =>
  (value) =>
    guards.some((guard) => guard(value));

/** A whole number within bounds. */
export const int =
  (least: number, most: number): Guard =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;

/** A string of a length in UTF-16 units, which every pattern matches. */
export const text =
  (least: number, most: number, ...patterns: readonly RegExp[]): Guard =>
  (value) =>
    typeof value === "string" &&
    value.length >= least &&
    value.length <= most &&
    patterns.every((pattern) => pattern.test(value));

export const list =
  (guard: Guard, least: number, most: number): Guard =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.length <= most && value.every(guard);

export const tuple =
  (...guards: readonly Guard[]): Guard =>
  (value) =>
    Array.isArray(value) &&
    value.length === guards.length &&
    guards.every((guard, index) => guard(value[index]));

type Members = Readonly<Record<string, Guard>>;

/** An object with these members and whatever else. */
export const open =
  (members: Members): Guard =>
  (value) =>
    isObject(value) && has(value, members);

/** An object with exactly these members. */
export const exact =
  (members: Members): Guard =>
  (value) =>
    isObject(value) && Object.keys(value).length === Object.keys(members).length && has(value, members);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const has = (value: Record<string, unknown>, members: Members): boolean =>
  Object.entries(members).every(([name, guard]) => Object.hasOwn(value, name) && guard(value[name]));
