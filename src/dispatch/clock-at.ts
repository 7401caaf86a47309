import type { Clock } from "../core/clock.ts";

/** The same clock with another wall-clock time, which goes on from `seconds`. For tests and fixtures. */
export function clockAt(clock: Clock, seconds: number): Clock {
  const started = clock.monotonicMs();
  return {
    ...clock,
    wallSeconds: () => seconds + Math.floor((clock.monotonicMs() - started) / 1_000),
  };
}
