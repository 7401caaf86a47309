import { HEADERS } from "../../../../contracts/routes.ts";
import { HandoffError } from "../../../core/error.ts";
import { handIn, readSubmit } from "../../queue/submit.ts";
import { JSON_TYPE } from "../call.ts";
import { raw } from "../handler.ts";
import { heldLease } from "../held-lease.ts";
import { idempotencyKey } from "../idempotency-key.ts";

/** 200 with exactly the receipt's bytes, the first time and every time after. */
export const submit = raw(async (call, bytes) => {
  const key = idempotencyKey(call);
  if (key === null) throw new HandoffError("idempotency_key_invalid");
  const body = readSubmit(bytes);
  heldLease(call, body.request);
  const { receipt, replayed, superseded } = await handIn(call.services.queue, body, key);
  const outcome = superseded ? "superseded" : replayed ? "replayed" : "accepted";
  call.services.metrics.add("render_handoff_gateway_submits_total", { outcome });
  return {
    kind: "bytes",
    status: 200,
    bytes: receipt,
    type: JSON_TYPE,
    headers: {
      ...(replayed ? { [HEADERS.replayed]: "true" } : {}),
      ...(superseded ? { [HEADERS.superseded]: "true" } : {}),
    },
  };
});
