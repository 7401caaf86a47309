import { IdempotencyKey } from "../../../contracts/names.ts";
import { HEADERS } from "../../../contracts/routes.ts";
import { HandoffError } from "../../core/error.ts";
import type { Call } from "./call.ts";

/**
 * The Idempotency-Key: one header, bare or as an RFC 8941 string (then unquoted). Null when absent;
 * idempotency_key_invalid when doubled or malformed.
 */
export function idempotencyKey(call: Call): string | null {
  const values = call.headerValues(HEADERS.idempotencyKey);
  if (values.length === 0) return null;
  const value = values.length === 1 ? (values[0] ?? "").trim() : "";
  const quoted = /^"([^"\\]*)"$/.exec(value);
  const key = quoted?.[1] ?? value;
  if (!IdempotencyKey.safeParse(key).success) throw new HandoffError("idempotency_key_invalid");
  return key;
}
