import type { QueueStore } from "./store.ts";

/** Throws as a write does where the store can only be read, as on a full disk. */
export async function needWritable(store: QueueStore): Promise<void> {
  await store.write((rows) => rows.meta("gateway_id"));
}
