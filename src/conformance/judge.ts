import type { Expect } from "../../contracts/documents/contract-ledger.ts";
import { Receipt } from "../../contracts/documents/receipt.ts";
import { HEADERS } from "../../contracts/routes.ts";
import { sha256 } from "../core/digest.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { JsonFault } from "../core/json/fault.ts";
import { type Json, parseStrict } from "../core/json/parse-strict.ts";
import { narrow } from "../core/json/read-document.ts";
import type { PlainAnswer } from "./exchange-once.ts";

const PROBLEM = "urn:render-handoff:error:";

/** `ok` for a success, else the problem document's code; the status where there is none. */
export function codeOfAnswer(answer: PlainAnswer): string {
  if (answer.status >= 200 && answer.status < 300) return "ok";
  const type = memberOf(answer, "type");
  return typeof type === "string" && type.startsWith(PROBLEM)
    ? type.slice(PROBLEM.length)
    : `HTTP ${answer.status}`;
}

/** What of an answer is not as expected, as one sentence; null when all holds. */
export function mismatch(
  answer: PlainAnswer,
  expected: Expect,
  saved: ReadonlyMap<string, Buffer>,
): string | null {
  const seen: Record<string, unknown> = {
    code: codeOfAnswer(answer),
    status: answer.status,
    fence: memberOf(answer, "fencing_token"),
    state: memberOf(answer, "state"),
    version: memberOf(answer, "version"),
    object_version: memberOf(answer, "version_num"),
    replayed: answer.headers[HEADERS.replayed] === "true",
    superseded: answer.headers[HEADERS.superseded] === "true",
    retry_after: /^[1-9]\d*$/.test(String(answer.headers["retry-after"] ?? "")),
  };
  for (const [name, value] of Object.entries(expected))
    if (Object.hasOwn(seen, name) && seen[name] !== value)
      return `${name} is ${String(seen[name])}, expected ${String(value)}`;
  const lease = memberOf(answer, "lease_seconds");
  if (expected.lease_at_most !== undefined && !(Number(lease) <= expected.lease_at_most))
    return `lease_seconds is ${String(lease)}, expected at most ${expected.lease_at_most}`;
  if (expected.lease_at_least !== undefined && !(Number(lease) >= expected.lease_at_least))
    return `lease_seconds is ${String(lease)}, expected at least ${expected.lease_at_least}`;
  if (expected.same_as !== undefined && saved.get(expected.same_as)?.equals(answer.body) !== true)
    return `the bytes are not those of ${expected.same_as}`;
  if (expected.not_same_as !== undefined && saved.get(expected.not_same_as)?.equals(answer.body) === true)
    return `the bytes are those of ${expected.not_same_as}`;
  return expected.receipt_of === undefined ? null : receiptFault(answer, saved.get(expected.receipt_of));
}

/** Rule 5: exactly the eight fields, canonical, with the digests of the body that was sent. */
function receiptFault(answer: PlainAnswer, body: Buffer | undefined): string | null {
  if (body === undefined) return "no body was saved";
  const json = parsed(answer.body);
  const receipt = narrow(Receipt, json);
  if (!receipt.ok) return `receipt${receipt.path}: ${receipt.problem}`;
  if (!canonicalBytes(json).equals(answer.body)) return "the receipt is not in canonical form";
  if (receipt.value.request_sha256 !== sha256(body)) return "request_sha256 is not that of the body";
  const request = parsed(body);
  const result = isObject(request) ? request["result"] : undefined;
  return result !== undefined && receipt.value.result_sha256 === sha256(canonicalBytes(result))
    ? null
    : "result_sha256 is not that of the canonical result";
}

/** A member of an answer that is a JSON object. */
export function memberOf(answer: PlainAnswer, name: string): Json | undefined {
  const json = parsed(answer.body);
  return isObject(json) ? json[name] : undefined;
}

const isObject = (json: Json | undefined): json is { [key: string]: Json } =>
  typeof json === "object" && json !== null && !Array.isArray(json);

/** A body of the gateway's making: undefined when it is no JSON. */
function parsed(bytes: Buffer): Json | undefined {
  try {
    return parseStrict(bytes);
  } catch (thrown) {
    if (thrown instanceof JsonFault) return undefined;
    throw thrown;
  }
}
