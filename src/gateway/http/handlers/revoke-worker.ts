import { revokeWorker as revoke } from "../../people/workers.ts";
import { ok, param } from "../call.ts";
import { plain } from "../handler.ts";

export const revokeWorker = plain(async (call) => {
  call.note({ worker_uuid: param(call, "id") });
  return ok(await revoke(call.services.queue.store, param(call, "id")));
});
