import { Receipt } from "../../contracts/documents/receipt.ts";
import { HEADERS } from "../../contracts/routes.ts";
import { sha256 } from "../core/digest.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { readDocument } from "../core/json/read-document.ts";
import { equal, objectOf } from "./answer.ts";
import type { PlainAnswer } from "./exchange-once.ts";
import type { PlayedRequest } from "./played-request.ts";
import { leaseKey, type Told, versionKey } from "./told.ts";

/** Rule 5: exactly the eight fields, canonical, with the digests of the body that was sent. */
export function receiptFault(answer: PlainAnswer, body: Buffer | null): string | null {
  if (body === null) return "no body was saved";
  const receipt = readDocument(Receipt, answer.body);
  if (!receipt.ok) return `receipt${receipt.path}: ${receipt.problem}`;
  if (!canonicalBytes(receipt.value).equals(answer.body)) return "the receipt is not in canonical form";
  return (
    equal("request_sha256", receipt.value.request_sha256, sha256(body)) ??
    equal("result_sha256", receipt.value.result_sha256, resultDigest(body))
  );
}

/** The same, and that it names key and lease; an accepted result is noted as its version. */
export function toldReceiptFault(request: PlayedRequest, answer: PlainAnswer, told: Told): string | null {
  const fault = receiptFault(answer, request.body);
  const read = readDocument(Receipt, answer.body);
  if (fault !== null || !read.ok) return fault;
  const receipt = read.value;
  const lease = told.leases.get(leaseKey(receipt.task_id, receipt.fencing_token));
  if (lease !== undefined)
    told.results.set(versionKey(receipt.task_id, lease.version), {
      sha256: receipt.result_sha256,
      receipt: answer.body,
      workerId: receipt.worker_id,
      fence: receipt.fencing_token,
    });
  const key = String(request.headers[HEADERS.idempotencyKey]);
  return (
    equal("idempotency_key", receipt.idempotency_key, key.replaceAll('"', "")) ??
    equal("lease_expires_at", receipt.lease_expires_at, lease?.expiresAt)
  );
}

/** Over the canonical form of a body's result; undefined for a body that has none. */
function resultDigest(body: Buffer): string | undefined {
  const result = objectOf(body)?.["result"];
  return result === undefined ? undefined : sha256(canonicalBytes(result));
}
