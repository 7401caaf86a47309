import type { DepthState } from "../../../contracts/telemetry.ts";
import type { QueueStore } from "./store.ts";

/** Open tasks by state and how long the longest-standing one has been in it; how long events are held back. */
export type QueueDepth = Readonly<Record<DepthState, { tasks: number; oldestSeconds: number }>> & {
  readonly eventsHeldSeconds: number;
};

/** Bounds of what one look walks through: open tasks in their order, never done ones. */
export const DEPTH_BOUNDS = { counted: 10_000, aged: 1_000 } as const;

/** How much is waiting, for metrics; the cost does not grow with what is done. */
export async function queueDepth(store: QueueStore): Promise<QueueDepth> {
  return store.read(async (rows) => {
    const now = await rows.now();
    const found = await rows.openTasks(now, DEPTH_BOUNDS);
    const of = (state: DepthState) => {
      const row = found.find((one) => one.state === state);
      const since = row?.since ?? null;
      return { tasks: row?.tasks ?? 0, oldestSeconds: since === null ? 0 : Math.max(0, now - since) };
    };
    const eventsHeldSeconds = Math.max(0, now - ((await rows.eventsHeldSince()) ?? now));
    return { ready: of("ready"), leased: of("leased"), expired: of("expired"), eventsHeldSeconds };
  });
}
