import { HEADERS, type RouteName } from "../../contracts/routes.ts";
import { timestamp } from "../core/clock.ts";
import { asHandoffError, HandoffError } from "../core/error.ts";
import { startDeadline, waitFor } from "./deadline.ts";
import { type Exchange, exchange, header, type RawAnswer, type Sink } from "./exchange.ts";
import { judgeAnswer } from "./judge-answer.ts";
import type { Session } from "./session.ts";
import { AttemptFault } from "./transport-fault.ts";

export interface Operation<T> {
  readonly route: RouteName;
  readonly method: Exchange["method"];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Exchange["body"];
  readonly capBytes: number;
  readonly totalMs: number;
  readonly attempts: number;
  /** Opened anew for each attempt: a download starts from zero. */
  readonly openSink: (() => Promise<Sink>) | null;
  /** Reads a 2xx or a 404 that has a meaning; may throw AttemptFault. */
  readonly read: (answer: RawAnswer) => T | Promise<T>;
  readonly absentIsAnswer?: boolean;
}

/** An answer, who gave it, and when its first byte was sent (monotonic milliseconds). */
export interface Answer<T> {
  readonly value: T;
  readonly gatewayId: string;
  readonly attempts: number;
  readonly firstSentMs: number;
}

/**
 * One logical operation: at most `attempts` transport attempts with the same bytes, Retry-After honoured,
 * never a sleep beyond the client's patience. Throws HandoffError; the signal's reason when it aborts.
 */
export async function operate<T>(session: Session, operation: Operation<T>): Promise<Answer<T>> {
  let firstSentMs: number | null = null;
  for (let attempt = 1; ; attempt += 1) {
    await passGate(session);
    firstSentMs ??= session.clock.monotonicMs();
    try {
      const answer = await attemptOnce(session, operation, attempt);
      const value = await operation.read(answer);
      return { value, gatewayId: header(answer, HEADERS.gateway) ?? "", attempts: attempt, firstSentMs };
    } catch (thrown) {
      if (!(thrown instanceof AttemptFault)) throw thrown;
      if (!thrown.retry || attempt >= operation.attempts) throw thrown.error;
      await backOff(session, thrown.error, attempt);
    }
  }
}

/** Waits until the host may be spoken to; throws GATEWAY_HELD, or GATEWAY_UNAVAILABLE when that is too far. */
async function passGate(session: Session): Promise<void> {
  session.signal?.throwIfAborted();
  const { host } = session.url;
  const state = session.hosts.look(host);
  if (state.held) throw new HandoffError("GATEWAY_HELD", `${host}: ${state.reason ?? "held"}`);
  const left = (state.notBefore ?? 0) - session.clock.wallSeconds();
  if (left <= 0) return;
  await sleepWithin(session, left * 1_000 + session.clock.random() * 250, () => {
    const due = timestamp(session.clock.wallSeconds() + left);
    return new HandoffError("GATEWAY_UNAVAILABLE", `Next try at ${due}.`, { retryAfterSeconds: left });
  });
}

async function backOff(session: Session, error: HandoffError, attempt: number): Promise<void> {
  if (error.code === "GATEWAY_UNAVAILABLE") return; // the gate has the time
  const base = 200 * 2 ** (attempt - 1);
  await sleepWithin(session, base + session.clock.random() * base, () => error);
}

async function sleepWithin(session: Session, milliseconds: number, tooLong: () => Error): Promise<void> {
  if (milliseconds > session.patience.leftMs) throw tooLong();
  session.patience.leftMs -= milliseconds;
  await waitFor(session.clock, milliseconds, session.signal);
}

async function attemptOnce<T>(
  session: Session,
  operation: Operation<T>,
  attempt: number,
): Promise<RawAnswer> {
  const { clock, url } = session;
  const started = clock.monotonicMs();
  const deadline = startDeadline({
    clock,
    milliseconds: operation.totalMs,
    outer: session.signal,
    reason: () => new AttemptFault(new HandoffError("GATEWAY_TIMEOUT", `(${operation.totalMs} ms)`), true),
  });
  let answer: RawAnswer | null = null;
  let fault: unknown = null;
  try {
    const authorization = session.token === null ? {} : { authorization: `Bearer ${session.token}` };
    answer = await exchange(session.agent, {
      ...operation,
      origin: url.origin,
      path: `${url.base}${operation.path}`,
      headers: { ...operation.headers, ...authorization },
      sink: (await operation.openSink?.()) ?? null,
      signal: deadline.signal,
    });
    judgeAnswer(session, answer, { attempt, absentIsAnswer: operation.absentIsAnswer === true });
    return answer;
  } catch (thrown) {
    fault = thrown;
    throw thrown;
  } finally {
    deadline.stop();
    report(session, operation, { attempt, answer, fault, durationMs: clock.monotonicMs() - started });
  }
}

function report<T>(
  session: Session,
  operation: Operation<T>,
  seen: { attempt: number; answer: RawAnswer | null; fault: unknown; durationMs: number },
): void {
  const error =
    seen.fault === null
      ? null
      : seen.fault instanceof AttemptFault
        ? seen.fault.error
        : asHandoffError(seen.fault);
  const requestId = seen.answer === null ? null : header(seen.answer, HEADERS.requestId);
  session.logger.log("debug", "exchange", {
    route: operation.route,
    method: operation.method,
    attempt: seen.attempt,
    duration_ms: Math.round(seen.durationMs),
    ...(seen.answer === null ? {} : { status: seen.answer.status }),
    ...(error === null ? {} : { code: error.code }),
    ...(requestId === null ? {} : { request_id: requestId.slice(0, 100) }),
  });
  session.onExchange?.({
    route: operation.route,
    method: operation.method,
    path: operation.path,
    attempt: seen.attempt,
    status: seen.answer?.status ?? null,
    code: error?.code ?? null,
    requestHeaders: operation.headers,
    headers: seen.answer?.headers ?? {},
    body: seen.answer?.body ?? Buffer.alloc(0),
  });
}
