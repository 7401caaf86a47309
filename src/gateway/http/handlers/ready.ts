import { ok } from "../call.ts";
import { plain } from "../handler.ts";

/** The store answers; else it throws and the answer is `unavailable`. */
export const ready = plain(async ({ services }) => {
  await services.queue.store.write((rows) => rows.meta("gateway_id"));
  return ok({ status: "ok" });
});
