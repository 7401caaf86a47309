import type { FindingCode } from "../../contracts/catalogue.ts";

/** A fault of evidence as a pure check states it: the caller adds slot, frame and the file's own path. */
export interface Fault {
  readonly code: FindingCode;
  /** Place inside what was checked: a chunk with its offset, a member's name, a row. */
  readonly where: string;
  readonly expected: string | null;
  readonly actual: string | null;
}

/** A fault; what was expected or found is left out where the code says it all. */
export const fault = (
  code: FindingCode,
  where: string,
  states: { readonly expected?: string | number; readonly actual?: string | number } = {},
): Fault => ({
  code,
  where,
  expected: states.expected === undefined ? null : String(states.expected),
  actual: states.actual === undefined ? null : String(states.actual),
});
