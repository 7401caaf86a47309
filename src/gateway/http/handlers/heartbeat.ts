import { HeartbeatRequest } from "../../../../contracts/wire/queue.ts";
import { heartbeat as extend } from "../../queue/heartbeat.ts";
import { ok } from "../call.ts";
import { json } from "../handler.ts";
import { heldLease } from "../held-lease.ts";

export const heartbeat = json(HeartbeatRequest, async (call, body) =>
  ok(await extend(call.services.queue, heldLease(call, body), body.progress)),
);
