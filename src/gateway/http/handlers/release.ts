import { ReleaseRequest } from "../../../../contracts/wire/queue.ts";
import { release as giveBack } from "../../queue/release.ts";
import { ok } from "../call.ts";
import { json } from "../handler.ts";
import { heldLease } from "../held-lease.ts";

export const release = json(ReleaseRequest, async (call, body) => {
  call.note({ detail: body.reason });
  return ok(await giveBack(call.services.queue, heldLease(call, body), body.reason));
});
