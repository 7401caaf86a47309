import type { Expect } from "../../contracts/documents/contract-ledger.ts";
import { HEADERS } from "../../contracts/routes.ts";
import { codeOfAnswer, isSuccess, memberOf } from "./answer.ts";
import type { PlainAnswer } from "./exchange-once.ts";
import { receiptFault } from "./judge-receipt.ts";

/** The code is not the expected one; what the problem document says of it is told too. */
export function codeFault(answer: PlainAnswer, expected: string): string | null {
  const code = codeOfAnswer(answer);
  if (code === expected) return null;
  const said = isSuccess(answer) ? undefined : (memberOf(answer, "detail") ?? memberOf(answer, "title"));
  return `code is ${code}, expected ${expected}${typeof said === "string" ? ` (it says: ${said})` : ""}`;
}

/** What of an answer is not as a case expects, its code aside, as one sentence; null when all holds. */
export function mismatch(
  answer: PlainAnswer,
  expected: Expect,
  saved: ReadonlyMap<string, Buffer>,
): string | null {
  const seen: Record<string, unknown> = {
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
  return expected.receipt_of === undefined
    ? null
    : receiptFault(answer, saved.get(expected.receipt_of) ?? null);
}
