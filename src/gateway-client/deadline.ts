import type { Clock } from "../core/clock.ts";

export interface Deadline {
  readonly signal: AbortSignal;
  /** Ends the wait; to be called in a finally. */
  stop(): void;
}

/** A signal that aborts with `reason()` after the time, or with the outer signal's reason when that aborts. */
export function startDeadline(options: {
  clock: Clock;
  milliseconds: number;
  outer: AbortSignal | null;
  reason: () => unknown;
}): Deadline {
  const late = new AbortController();
  const stopped = new AbortController();
  options.clock.sleep(options.milliseconds, stopped.signal).then(
    () => late.abort(options.reason()),
    () => {}, // stopped in time
  );
  return {
    signal: options.outer === null ? late.signal : AbortSignal.any([options.outer, late.signal]),
    stop: () => stopped.abort(),
  };
}

/** A signal that aborts so long after another one has, with the same reason. */
export function startGrace(options: { clock: Clock; milliseconds: number; outer: AbortSignal }): Deadline {
  const { clock, milliseconds, outer } = options;
  const late = new AbortController();
  const stopped = new AbortController();
  const wait = (): void => {
    clock.sleep(milliseconds, stopped.signal).then(
      () => late.abort(outer.reason),
      () => {}, // stopped in time
    );
  };
  if (outer.aborted) wait();
  else outer.addEventListener("abort", wait, { once: true, signal: stopped.signal });
  return { signal: late.signal, stop: () => stopped.abort() };
}

/** Waits; throws the signal's own reason when it aborts. */
export async function waitFor(clock: Clock, milliseconds: number, signal: AbortSignal | null): Promise<void> {
  if (signal === null) return clock.sleep(milliseconds);
  try {
    await clock.sleep(milliseconds, signal);
  } catch (thrown) {
    // timers reject with an AbortError of their own around the reason
    signal.throwIfAborted();
    throw thrown;
  }
}
