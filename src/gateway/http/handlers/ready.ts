import { needWritable } from "../../queue/need-writable.ts";
import { ok } from "../call.ts";
import { plain } from "../handler.ts";

/** The store takes writes; else it throws and the answer is `unavailable`. */
export const ready = plain(async ({ services }) => {
  await needWritable(services.queue.store);
  return ok({ status: "ok" });
});
