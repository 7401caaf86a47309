import type { Clock } from "../../core/clock.ts";

export const TIMED_OUT: unique symbol = Symbol("timed out");

/** The promise's value, or TIMED_OUT after that many milliseconds; the promise itself goes on. */
export async function within<T>(
  promise: Promise<T>,
  milliseconds: number,
  clock: Clock,
): Promise<T | typeof TIMED_OUT> {
  const over = new AbortController();
  const out = (): typeof TIMED_OUT => TIMED_OUT;
  const timer = clock.sleep(milliseconds, over.signal).then(out, out);
  try {
    return await Promise.race([promise, timer]);
  } finally {
    over.abort();
  }
}
