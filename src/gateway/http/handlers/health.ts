import { ok } from "../call.ts";
import { plain } from "../handler.ts";

/** The process is alive; says nothing of the store. */
export const health = plain(async () => ok({ status: "ok" }));
