import { z } from "zod";
import { Fence, IdempotencyKey, Sha256, Timestamp } from "../names.ts";

/** The gateway's immutable answer to an accepted submit: exactly these eight fields, JCS bytes. */
export const Receipt = z.strictObject({
  fencing_token: Fence,
  idempotency_key: IdempotencyKey,
  lease_expires_at: Timestamp,
  request_sha256: Sha256,
  result_sha256: Sha256,
  state: z.literal("done"),
  task_id: z.string().min(1),
  worker_id: z.string().min(1),
});
export type Receipt = z.infer<typeof Receipt>;
