import { setTimeout as delay } from "node:timers/promises";

/** The only source of time, waiting and randomness; everything else is given one. */
export interface Clock {
  /** Wall clock in whole UTC seconds since 1970. */
  wallSeconds(): number;
  /** Milliseconds that only go forward; comparable within one process. */
  monotonicMs(): number;
  /** Waits; rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A random version 4 UUID. */
  uuid(): string;
  /** Evenly spread in [0, 1). */
  random(): number;
}

export const systemClock: Clock = {
  wallSeconds: () => Math.floor(Date.now() / 1_000),
  monotonicMs: () => performance.now(),
  sleep: async (milliseconds, signal) => {
    await delay(milliseconds, undefined, signal === undefined ? {} : { signal });
  },
  // loaded when it is asked for: it takes as long as a tenth of the start of Node.js
  uuid: () => process.getBuiltinModule("node:crypto").randomUUID(),
  random: () => Math.random(),
};

const LAST_SECOND = 253_402_300_799;

/** RFC 3339 UTC with whole seconds and `Z`; years 1970 to 9999. Throws RangeError beyond. */
export function timestamp(seconds: number): string {
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > LAST_SECOND)
    throw new RangeError("time out of range");
  return new Date(seconds * 1_000).toISOString().replace(".000Z", "Z");
}

/** Seconds of an RFC 3339 UTC time (a fraction is cut); null when it is none. */
export function secondsOf(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text)) return null;
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) return null;
  const seconds = Math.floor(milliseconds / 1_000);
  return seconds >= 0 && timestamp(seconds) === `${text.slice(0, 19)}Z` ? seconds : null;
}
