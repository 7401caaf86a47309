import { RegisterWorkerRequest } from "../../../../contracts/wire/people.ts";
import { registerWorker as register } from "../../people/workers.ts";
import { ok } from "../call.ts";
import { json } from "../handler.ts";

export const registerWorker = json(RegisterWorkerRequest, async (call, body) => {
  const registered = await register(call.services.queue.store, call.services.clock, body);
  call.note({ worker_uuid: registered.worker_uuid });
  return ok(registered, 201);
});
