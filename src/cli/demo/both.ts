import { HandoffError } from "../../core/error.ts";
import type { Play } from "./play.ts";

/**
 * Two parts of a play at the same time. When one fails the other is stopped and waited for, since what it works
 * with is cleared away after; then the first failure is thrown.
 */
export async function both<A, B>(
  play: Play,
  one: (half: Play) => Promise<A>,
  other: (half: Play) => Promise<B>,
): Promise<[A, B]> {
  const { context } = play;
  const over = new AbortController();
  const half = { ...play, context: { ...context, signal: AbortSignal.any([context.signal, over.signal]) } };
  const failures: unknown[] = [];
  const failed = (thrown: unknown): never => {
    failures.push(thrown);
    over.abort(new HandoffError("INTERRUPTED", "(the other half failed)"));
    throw thrown;
  };
  const [a, b] = await Promise.allSettled([one(half).catch(failed), other(half).catch(failed)]);
  if (a.status === "fulfilled" && b.status === "fulfilled") return [a.value, b.value];
  throw failures[0];
}
