import { CHILD_CODES } from "./codes/child.ts";
import { CLIENT_CODES } from "./codes/client.ts";
import { CONFORMANCE_CODES } from "./codes/conformance.ts";
import type { CodeEntry, ErrorEntry, FindingEntry } from "./codes/entry.ts";
import { JOIN_CODES } from "./codes/join.ts";
import { PNG_CODES } from "./codes/png.ts";
import { UPKEEP_CODES } from "./codes/upkeep.ts";
import { USAGE_CODES } from "./codes/usage.ts";
import { WIRE_CODES } from "./codes/wire.ts";
import { ZIP_CODES } from "./codes/zip.ts";

/** Every stable code of the system, once. A retired code is never used again (RETIRED_CODES). */
export const CATALOGUE = {
  ...USAGE_CODES,
  ...CLIENT_CODES,
  ...CHILD_CODES,
  ...JOIN_CODES,
  ...ZIP_CODES,
  ...PNG_CODES,
  ...WIRE_CODES,
  ...CONFORMANCE_CODES,
  ...UPKEEP_CODES,
} as const satisfies Record<string, CodeEntry>;

type Catalogue = typeof CATALOGUE;
type CodesOf<Kind> = { [K in keyof Catalogue]: Catalogue[K] extends Kind ? K : never }[keyof Catalogue];

export type Code = keyof Catalogue;
export type ErrorCode = CodesOf<ErrorEntry>;
export type FindingCode = CodesOf<FindingEntry>;
export type { WireCode } from "./codes/wire.ts";

export const RETIRED_CODES: readonly string[] = [];

/** Narrows a string from outside to a code of the catalogue. */
export const isCode = (value: string): value is Code => Object.hasOwn(CATALOGUE, value);
