import type { Clock } from "../../core/clock.ts";
import { openStore, type StoreOptions } from "../open-store.ts";
import type { QueueStore } from "../queue/store.ts";

/**
 * What a store that was brought back needs before it is served: leases that it holds are over, and every fence and
 * every event's place from now on lies beyond those that were given out after the copy was made. Returns the fence
 * above which all of them lie. Throws as openStore does.
 */
export async function moveOn(options: StoreOptions): Promise<{ gatewayId: string; fenceFloor: number }> {
  const store = await openStore(options);
  try {
    return await moved(store);
  } finally {
    await store.close();
  }
}

/** The same for a database in PostgreSQL that pg_restore has filled: GATEWAY_DATA_INVALID for one without a queue. */
export const moveOnDatabase = (storeUrl: string, clock: Pick<Clock, "wallSeconds" | "uuid">) =>
  moveOn({ dataFolder: "", storeUrl, clock, existing: true });

const moved = (store: QueueStore): Promise<{ gatewayId: string; fenceFloor: number }> =>
  store.write(async (rows) => ({
    gatewayId: await rows.meta("gateway_id"),
    fenceFloor: await rows.moveOn(await rows.now()),
  }));
