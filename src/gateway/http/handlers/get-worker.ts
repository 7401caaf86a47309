import { readWorker } from "../../people/workers.ts";
import { ok, param } from "../call.ts";
import { plain } from "../handler.ts";

export const getWorker = plain(async (call) =>
  ok(await readWorker(call.services.queue.store, param(call, "id"))),
);
