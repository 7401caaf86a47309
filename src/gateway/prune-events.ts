import type { Clock } from "../core/clock.ts";
import type { QueueStore } from "./queue/store.ts";

/** Events are for following and for the page, not the record: receipts, objects and reasons are. */
export const EVENTS_KEPT = { most: 100_000, seconds: 30 * 24 * 3_600 } as const;
const FIRST_MS = 30_000;
const EVERY_MS = 10 * 60_000;

/** Removes old events, a batch at a time, until the signal aborts. */
export async function keepEventsBounded(
  store: QueueStore,
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal,
): Promise<void> {
  const prune = (): Promise<number> =>
    store.write(async (rows) => {
      const before = (await rows.now()) - EVENTS_KEPT.seconds;
      return (
        (await rows.pruneEvents({ keep: EVENTS_KEPT.most, before })) + (await rows.prunePreviews(before))
      );
    });
  let waitMs = FIRST_MS;
  while (!signal.aborted) {
    await clock.sleep(waitMs, signal).catch(() => {});
    if (signal.aborted) return;
    // a store that is away now is asked again later
    const removed = await prune().catch(() => 0);
    waitMs = removed > 0 ? 1_000 : EVERY_MS;
  }
}
