import { parentPort, workerData } from "node:worker_threads";
import { LIMITS } from "../../../contracts/limits.ts";
import type { Progress } from "../../../contracts/wire/queue.ts";
import { sweepLeftovers } from "../../blender/sweep.ts";
import { systemClock } from "../../core/clock.ts";
import { parseStrict } from "../../core/json/parse-strict.ts";
import { startDeadline } from "../../gateway-client/deadline.ts";
import { readRetryAfter } from "../../gateway-client/retry-after.ts";
import {
  ENDED,
  type FromThread,
  type HeartbeatConnection,
  type HeartbeatOrders,
  ownExpiry,
  sharedState,
  type ToThread,
} from "./orders.ts";
import { type SentAnswer, send } from "./send.ts";

/**
 * Entry of the heartbeat thread: keeps the lease while the main thread may be busy, and kills what the run
 * has started when the lease is lost, the run's deadline is over or the main thread shows no life. It speaks
 * HTTP by itself, with few imports: the main thread's client holds the state's database.
 */
const connection: HeartbeatConnection = workerData;
const shared = sharedState(connection.shared);
const clock = systemClock;
const stopped = new AbortController();
let progress: Progress | null = null;
/** Since when there is progress that the gateway was not told of; Infinity when there is none. */
let untoldMs = Infinity;
/** Until when the gateway asked to be left alone. */
let quietUntilMs = 0;
let lease: HeartbeatOrders["lease"] | null = null;

parentPort?.on("message", (message: ToThread) => {
  if (message.kind === "arm") void keep(message.orders);
  else if (message.kind === "progress") note(message.progress);
  else if (message.kind === "preview") void show(message.frame, message.png);
  else stop();
});
parentPort?.postMessage({ kind: "ready" } satisfies FromThread);

/** What people watch for is told within a second, the rest when it suits. */
const SOON_MS = 1_000;
const LATER_MS = 4_000;

function note(next: Progress): void {
  const moved =
    next.phase !== progress?.phase ||
    next.frame !== progress.frame ||
    next.frames_done !== progress.frames_done;
  const other = moved || next.sample !== progress?.sample;
  progress = next;
  if (other) untoldMs = Math.min(untoldMs, clock.monotonicMs() + (moved ? 0 : LATER_MS - SOON_MS));
}

/** Tried once: the next picture is another one. */
async function show(frame: number, png: Uint8Array): Promise<void> {
  if (lease === null) return;
  const deadline = startDeadline({
    clock,
    milliseconds: LIMITS.headersMs,
    outer: stopped.signal,
    reason: () => new Error("late"),
  });
  await send({
    method: "PUT",
    url: `${connection.origin}${connection.previews}${lease.task_id}?frame=${frame}`,
    headers: {
      "content-type": "image/png",
      authorization: `Bearer ${connection.token}`,
      [connection.fenceHeader]: String(lease.fencing_token),
    },
    body: Buffer.from(png),
    capBytes: LIMITS.smallBodyBytes,
    signal: deadline.signal,
  }).catch(() => {});
  deadline.stop();
}

function stop(): void {
  stopped.abort();
  parentPort?.close();
}

/** When to try next, in monotonic milliseconds; null when the lease is lost. */
async function beat(orders: HeartbeatOrders): Promise<number | null> {
  const third = (orders.leaseSeconds * 1_000) / 3;
  const soon = Math.max(250, third / 4);
  const sentMs = clock.monotonicMs();
  untoldMs = Infinity;
  let answer: SentAnswer;
  const deadline = startDeadline({
    clock,
    milliseconds: Math.max(1_000, third),
    outer: stopped.signal,
    reason: () => new Error("late"),
  });
  try {
    answer = await send({
      method: "POST",
      url: connection.origin + connection.path,
      headers: { "content-type": "application/json", authorization: `Bearer ${connection.token}` },
      body: Buffer.from(JSON.stringify({ ...orders.lease, progress })),
      capBytes: LIMITS.smallBodyBytes,
      signal: deadline.signal,
    });
  } catch {
    return clock.monotonicMs() + soon; // whether it arrived is not known: the own expiry decides
  } finally {
    deadline.stop();
  }
  if (answer.status === 429 || answer.status === 503) return comeBack(answer, soon);
  if (answer.header("render-handoff-gateway") !== connection.gatewayId) return clock.monotonicMs() + soon;
  if ([401, 403, 404, 409].includes(answer.status)) return null;
  const seconds = answer.status === 200 ? leaseSeconds(answer.body) : null;
  if (seconds === null) return clock.monotonicMs() + soon;
  shared.extendTo(ownExpiry(sentMs, seconds));
  // of what is left of the lease on this side, which the margin makes much less of a short one
  return sentMs + Math.min(third, (ownExpiry(sentMs, seconds) - sentMs) / 3);
}

function comeBack(answer: SentAnswer, soon: number): number {
  const retryAfter = answer.header("retry-after");
  parentPort?.postMessage({ kind: "pause", status: answer.status, retryAfter } satisfies FromThread);
  const now = clock.wallSeconds();
  const asked = readRetryAfter(retryAfter, now);
  const wait = asked.kind === "at" ? (asked.at - now) * 1_000 : asked.kind === "hold" ? Infinity : soon;
  quietUntilMs = clock.monotonicMs() + Math.max(soon, wait);
  return quietUntilMs;
}

/** The answer's lease, from outside; null when it is none. */
function leaseSeconds(body: Buffer): number | null {
  try {
    const answer = parseStrict(body);
    const value =
      typeof answer === "object" && answer !== null && !Array.isArray(answer) ? answer["lease_seconds"] : 0;
    return typeof value === "number" && value > 0 ? value : null;
  } catch {
    return null;
  }
}

/** Progress that waits, unless the gateway asked for quiet. */
const isWorthTelling = (now: number, sentMs: number): boolean =>
  now >= quietUntilMs && now >= untoldMs && now >= sentMs + SOON_MS;

async function keep(orders: HeartbeatOrders): Promise<void> {
  lease = orders.lease;
  let sentMs = clock.monotonicMs();
  let next =
    clock.monotonicMs() +
    Math.min(shared.expiresAtMs() - clock.monotonicMs(), orders.leaseSeconds * 1_000) / 3;
  let beating = false;
  let life = { count: shared.life(), sinceMs: clock.monotonicMs() };
  while (!stopped.signal.aborted && shared.ended() === ENDED.no) {
    const now = clock.monotonicMs();
    if (shared.life() !== life.count) life = { count: shared.life(), sinceMs: now };
    if (now >= orders.deadlineMs) shared.end(ENDED.deadline);
    else if (now >= shared.expiresAtMs()) shared.end(ENDED.lost);
    else if (now - life.sinceMs > orders.silenceMs) shared.end(ENDED.silent);
    else if (!beating && (now >= next || isWorthTelling(now, sentMs))) {
      beating = true;
      sentMs = now;
      void beat(orders).then((due) => {
        beating = false;
        if (due === null && !stopped.signal.aborted) shared.end(ENDED.lost);
        else next = due ?? Infinity;
      });
    }
    await clock.sleep(50);
  }
  if (!stopped.signal.aborted) await sweepLeftovers({ markerPrefix: orders.marker, clock });
}
