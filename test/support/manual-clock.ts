import type { Clock } from "../../src/core/clock.ts";

export interface ManualClock extends Clock {
  /** Every wait that was asked for and not given up, in milliseconds. */
  readonly slept: number[];
}

/** A clock whose time moves by sleeping only; a sleep that can be given up waits for that. */
export function manualClock(startSeconds = 1_800_000_000): ManualClock {
  let now = startSeconds * 1_000;
  let made = 0;
  const slept: number[] = [];
  return {
    slept,
    wallSeconds: () => Math.floor(now / 1_000),
    monotonicMs: () => now,
    random: () => 0.5,
    uuid: () => {
      made += 1;
      return `00000000-0000-4000-8000-${String(made).padStart(12, "0")}`;
    },
    sleep: (milliseconds, signal) => {
      if (signal !== undefined)
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      slept.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
  };
}
