import { HEADERS } from "../../../../contracts/routes.ts";
import { ClaimRequest } from "../../../../contracts/wire/queue.ts";
import { claim as take } from "../../queue/claim.ts";
import { ownWorker } from "../call.ts";
import { json } from "../handler.ts";
import { idempotencyKey } from "../idempotency-key.ts";

export const claim = json(ClaimRequest, async (call, body) => {
  call.note({ task_id: body.task_id });
  const { answer, replayed, afterExpiry } = await take(call.services.queue, {
    taskId: body.task_id,
    workerId: ownWorker(call, body.worker_id),
    idempotencyKey: idempotencyKey(call),
  });
  call.note({ fencing_token: answer.fencing_token });
  const { metrics } = call.services;
  metrics.add("render_handoff_gateway_claims_total", { outcome: replayed ? "replayed" : "new" });
  if (afterExpiry) metrics.add("render_handoff_gateway_lease_expiries_total", {});
  return {
    kind: "json",
    status: 200,
    value: answer,
    ...(replayed ? { headers: { [HEADERS.replayed]: "true" } } : {}),
  };
});
