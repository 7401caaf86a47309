import type { Decoders } from "../join/decode/run-plan.ts";
import type { CliContext } from "./context.ts";

/**
 * Does something with decoder threads and ends them. A signal ends them too, so that whatever waits for an answer
 * has one, be a frame ever so large; the work looks at the signal before it tells of it, and what fails then fails
 * for the signal.
 */
export async function withDecoders<Result>(
  decoders: Decoders,
  { signal }: Pick<CliContext, "signal">,
  work: (decoders: Decoders) => Promise<Result>,
): Promise<Result> {
  const end = (): void => void decoders.close();
  signal.addEventListener("abort", end);
  try {
    signal.throwIfAborted();
    return await work(decoders);
  } catch (thrown) {
    signal.throwIfAborted();
    throw thrown;
  } finally {
    signal.removeEventListener("abort", end);
    await decoders.close();
  }
}
