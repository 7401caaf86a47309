import { Worker } from "node:worker_threads";
import { ROUTES } from "../../contracts/routes.ts";
import type { Progress } from "../../contracts/wire/queue.ts";
import { HandoffError } from "../core/error.ts";
import { siblingModule } from "../core/sibling.ts";
import { readRetryAfter } from "../gateway-client/retry-after.ts";
import type { RunContext } from "./context.ts";
import {
  ENDED,
  type FromThread,
  type HeartbeatOrders,
  ownExpiry,
  sharedState,
  type ToThread,
} from "./heartbeat/orders.ts";
import { interruption } from "./interruption.ts";
import type { Held } from "./steps/claim.ts";

export interface ProgressNote {
  readonly phase: Progress["phase"];
  readonly frame?: number | null;
  readonly framesDone?: number;
  readonly sample?: number | null;
  readonly samples?: number | null;
  readonly watchdogLeftS?: number;
}

/** Watches over a run from claim to receipt. First reason wins. */
export interface Guard {
  /** Aborts with the HandoffError for which the run must end. */
  readonly signal: AbortSignal;
  /** Also asks at once, where the event loop had no time to tell. */
  throwIfEnded(): void;
  progress(note: ProgressNote): void;
  /** Ends the heartbeats; nothing is killed by it. */
  stop(): Promise<void>;
}

const TICK_MS = 200;
const STOP_MS = 2_000;

/**
 * Starts the heartbeat thread and the run's deadlines: run_seconds from the first send of the claim, and the
 * lease's own expiry, which each acknowledged heartbeat moves on. At either, or at a signal, `signal` aborts;
 * the thread kills by itself what carries the marker, should this thread be too busy to.
 */
export function startGuard(run: RunContext, held: Held, marker: string): Guard {
  const { options } = run;
  const { clock } = options;
  const ended = new AbortController();
  const stopped = new AbortController();
  const shared = sharedState();
  const deadlineMs = held.askedMs + held.job.limits.run_seconds * 1_000;
  shared.extendTo(ownExpiry(held.askedMs, held.leaseSeconds));

  const leaseSeconds = held.job.limits.lease_seconds;
  const thread = new Worker(siblingModule(import.meta.url, "heartbeat/thread"), {
    execArgv: [],
    env: {},
    workerData: {
      origin: run.client.url.origin,
      path: `${run.client.url.base}${ROUTES.heartbeat.path}`,
      token: options.token,
      gatewayId: run.gatewayId,
      lease: { task_id: held.taskId, worker_id: options.workerUuid, fencing_token: held.fence },
      leaseSeconds,
      deadlineMs,
      silenceMs: Math.max(60_000, leaseSeconds * 3_000),
      marker,
      shared: shared.buffer,
    } satisfies HeartbeatOrders,
  });
  const exited = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
  thread.on("error", (thrown) =>
    ended.abort(new HandoffError("INTERNAL_UNEXPECTED", "The heartbeat thread failed.", { cause: thrown })),
  );
  thread.on("message", (message: FromThread) => pauseHost(run, message));
  const tell = (message: ToThread): void => thread.postMessage(message);

  const tick = (): void => {
    shared.showLife();
    if (ended.signal.aborted) return;
    const now = clock.monotonicMs();
    if (options.signal.aborted) ended.abort(interruption(options.signal));
    else if (shared.ended() === ENDED.deadline || now >= deadlineMs)
      ended.abort(new HandoffError("RENDER_RUN_DEADLINE", `(${held.job.limits.run_seconds} s)`));
    else if (shared.ended() !== ENDED.no || now >= shared.expiresAtMs())
      ended.abort(new HandoffError("LEASE_LOST"));
  };
  const onInterrupt = (): void => tick();
  options.signal.addEventListener("abort", onInterrupt);
  const ticking = (async () => {
    while (!stopped.signal.aborted) {
      tick();
      await clock.sleep(TICK_MS, stopped.signal).catch(() => {});
    }
  })();

  return {
    signal: ended.signal,
    throwIfEnded: () => {
      tick();
      ended.signal.throwIfAborted();
    },
    progress: (note) => {
      const progress = progressOf(note);
      options.onProgress?.(progress);
      tell({ kind: "progress", progress });
    },
    stop: async () => {
      stopped.abort();
      options.signal.removeEventListener("abort", onInterrupt);
      tell({ kind: "stop" });
      const patience = new AbortController();
      const late = clock.sleep(STOP_MS, patience.signal).then(
        () => thread.terminate(),
        () => 0,
      );
      await Promise.race([exited, late]);
      patience.abort();
      await ticking;
    },
  };
}

const progressOf = (note: ProgressNote): Progress => ({
  phase: note.phase,
  frame: note.frame ?? null,
  frames_done: note.framesDone ?? 0,
  sample: note.sample ?? null,
  samples: note.samples ?? null,
  watchdog_left_s: note.watchdogLeftS ?? null,
});

function pauseHost(run: RunContext, message: FromThread): void {
  const now = run.options.clock.wallSeconds();
  const asked = readRetryAfter(message.retryAfter, now);
  const { host } = run.client.url;
  const reason = `HTTP ${message.status} to a heartbeat`;
  if (asked.kind === "hold") run.state.hosts.hold(host, `${reason}, ${asked.why}`);
  if (asked.kind === "at") run.state.hosts.pause(host, asked.at, reason);
}
