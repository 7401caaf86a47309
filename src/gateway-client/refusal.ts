import { CATALOGUE, isCode, type WireCode } from "../../contracts/catalogue.ts";
import { PROBLEM_TYPE, Problem } from "../../contracts/documents/records.ts";
import { LIMITS } from "../../contracts/limits.ts";
import { HandoffError } from "../core/error.ts";
import { harmless } from "../core/escape.ts";
import { readDocument } from "../core/json/read-document.ts";
import { header, type RawAnswer } from "./exchange.ts";
import { readRetryAfter } from "./retry-after.ts";
import { AttemptFault } from "./transport-fault.ts";

const isWireCode = (code: string): code is WireCode => isCode(code) && CATALOGUE[code].kind === "wire";

/** What an answer that is no success means. The problem document is attacker-controlled. */
export function refusal(answer: RawAnswer, nowSeconds: number): AttemptFault {
  const { status } = answer;
  if (status >= 300 && status < 400)
    return new AttemptFault(new HandoffError("GATEWAY_REDIRECT", `(HTTP ${status})`), false);
  // a HEAD is answered without a problem document
  if (status === 401 && answer.body.byteLength === 0)
    return new AttemptFault(new HandoffError("GATEWAY_UNAUTHORIZED", "(HTTP 401)"), false);
  if (status === 403 && answer.body.byteLength === 0)
    return new AttemptFault(new HandoffError("GATEWAY_REFUSED", "(HTTP 403)"), false);
  const problem = readDocument(Problem, answer.body, { bytes: LIMITS.smallBodyBytes });
  const name = problem.ok ? problem.value.type.slice(PROBLEM_TYPE.length) : "";
  const again = status === 408 || status >= 500;
  if (!problem.ok || !isWireCode(name)) {
    // proxies answer for a gateway that is down with pages of their own
    const code = again ? "GATEWAY_UNREACHABLE" : "GATEWAY_RESPONSE_INVALID";
    return new AttemptFault(new HandoffError(code, `(HTTP ${status} without a known code)`), again);
  }
  const detail = problem.value.detail === undefined ? "" : ` ${harmless(problem.value.detail)}`;
  const wait = readRetryAfter(header(answer, "retry-after"), nowSeconds);
  const options = {
    wireCode: name,
    ...(wait.kind === "at" ? { retryAfterSeconds: wait.at - nowSeconds } : {}),
  };
  const own = name === "unauthenticated" ? "GATEWAY_UNAUTHORIZED" : name;
  const damaged = name === "blob_digest_mismatch" || name === "blob_length_mismatch";
  return new AttemptFault(new HandoffError(own, `(${name})${detail}`, options), again || damaged);
}
