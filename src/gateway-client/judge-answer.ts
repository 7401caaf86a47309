import { GatewayId } from "../../contracts/names.ts";
import { HEADERS } from "../../contracts/routes.ts";
import { timestamp } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { header, type RawAnswer } from "./exchange.ts";
import { refusal } from "./refusal.ts";
import { readRetryAfter } from "./retry-after.ts";
import type { Session } from "./session.ts";
import { AttemptFault } from "./transport-fault.ts";

/** Throws what an answer means unless it is a success. */
export function judgeAnswer(
  session: Session,
  answer: RawAnswer,
  options: { attempt: number; absentIsAnswer: boolean },
): void {
  const now = session.clock.wallSeconds();
  // committed before anything else is done with the failure
  if (answer.status === 429 || answer.status === 503) throw comeBack(session, answer, options.attempt);
  checkIdentity(session, answer);
  const absent = answer.status === 404 && options.absentIsAnswer;
  if ((answer.status < 200 || answer.status > 299) && !absent) throw refusal(answer, now);
}

function comeBack(session: Session, answer: RawAnswer, attempt: number): AttemptFault {
  const { hosts, url, clock } = session;
  const now = clock.wallSeconds();
  const asked = readRetryAfter(header(answer, "retry-after"), now);
  const reason = `HTTP ${answer.status}`;
  if (asked.kind === "hold") {
    hosts.hold(url.host, `${reason}, ${asked.why}`);
    return new AttemptFault(new HandoffError("GATEWAY_HELD", `${url.host}: ${asked.why}`), false);
  }
  const notBefore = asked.kind === "at" ? asked.at : now + 2 ** attempt;
  hosts.pause(url.host, notBefore, reason);
  const error = new HandoffError("GATEWAY_UNAVAILABLE", `(${reason}) Next try at ${timestamp(notBefore)}.`, {
    retryAfterSeconds: notBefore - now,
  });
  return new AttemptFault(error, true);
}

/** Every answer must name its gateway, always the same; a proxy's error page may lack the name. */
function checkIdentity(session: Session, answer: RawAnswer): void {
  const named = header(answer, HEADERS.gateway);
  if (named === null && (answer.status < 200 || answer.status > 299)) return;
  if (named === null || !GatewayId.safeParse(named).success)
    throw new AttemptFault(
      new HandoffError("GATEWAY_RESPONSE_INVALID", "It does not name its gateway."),
      false,
    );
  const known = session.hosts.gatewayId();
  if (known === null) session.hosts.rememberGateway(named);
  else if (known !== named)
    throw new AttemptFault(
      new HandoffError("GATEWAY_IDENTITY_CHANGED", `Known: ${known}, now: ${named}.`),
      false,
    );
}
