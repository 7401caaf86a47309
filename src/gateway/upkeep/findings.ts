import type { UPKEEP_CODES } from "../../../contracts/codes/upkeep.ts";
import type { CheckReport } from "../../../contracts/documents/upkeep.ts";

export type CheckCode = Extract<keyof typeof UPKEEP_CODES, `CHECK_${string}`>;
export type CheckFinding = CheckReport["findings"][number];

/** More than these are counted and not listed. */
const LISTED = 1_000;

/** What a check has found so far. */
export class Findings {
  readonly listed: CheckFinding[] = [];
  leftOut = 0;

  add(code: CheckCode, where: string, states: { expected?: unknown; actual?: unknown } = {}): void {
    if (this.listed.length >= LISTED) {
      this.leftOut += 1;
      return;
    }
    const told = (value: unknown): string | null => (value === undefined ? null : String(value));
    this.listed.push({ code, where, expected: told(states.expected), actual: told(states.actual) });
  }

  /** Adds unless both are equal. */
  same(code: CheckCode, where: string, states: { expected: unknown; actual: unknown }): void {
    if (states.expected !== states.actual) this.add(code, where, states);
  }
}
