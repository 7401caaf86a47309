import type { Progress } from "../../contracts/wire/queue.ts";
import { HandoffError } from "../core/error.ts";
import { readRetryAfter } from "../gateway-client/retry-after.ts";
import type { RunContext } from "./context.ts";
import { ENDED, type HeartbeatOrders, ownExpiry } from "./heartbeat/orders.ts";
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
  /** Shows a small picture of a finished frame; whether it arrives is nobody's worry. */
  preview(frame: number, png: Buffer): void;
  /**
   * Throws when the run has ended. From here on a lost lease ends nothing: the gateway ends it itself when it
   * takes the result, and a submit whose answer was lost must still be asked for. The fence decides.
   */
  submitting(): void;
  /** Ends the heartbeats; nothing is killed by it. */
  stop(): Promise<void>;
}

const TICK_MS = 200;

/**
 * Arms the heartbeat thread and starts the run's deadlines: run_seconds from the first send of the claim, and the
 * lease's own expiry, which each acknowledged heartbeat moves on. At either, or at a signal, `signal` aborts;
 * the thread kills by itself what carries the marker, should this thread be too busy to.
 */
export function startGuard(run: RunContext, held: Held, marker: string): Guard {
  const { options } = run;
  const { clock } = options;
  const ended = new AbortController();
  const stopped = new AbortController();
  const thread = run.heartbeat();
  const { shared } = thread;
  const deadlineMs = held.askedMs + held.job.limits.run_seconds * 1_000;
  shared.extendTo(ownExpiry(held.askedMs, held.leaseSeconds));

  const leaseSeconds = held.job.limits.lease_seconds;
  const orders: HeartbeatOrders = {
    lease: { task_id: held.taskId, worker_id: options.workerUuid, fencing_token: held.fence },
    leaseSeconds,
    deadlineMs,
    silenceMs: Math.max(60_000, leaseSeconds * 3_000),
    marker,
  };
  thread.listen({ pause: (pause) => pauseHost(run, pause), failed: (error) => ended.abort(error) });
  thread.tell({ kind: "arm", orders });

  let submitting = false;
  const tick = (): void => {
    shared.showLife();
    if (ended.signal.aborted) return;
    const now = clock.monotonicMs();
    if (options.signal.aborted) ended.abort(interruption(options.signal));
    else if (shared.ended() === ENDED.deadline || now >= deadlineMs)
      ended.abort(new HandoffError("RENDER_RUN_DEADLINE", `(${held.job.limits.run_seconds} s)`));
    else if (!submitting && (shared.ended() !== ENDED.no || now >= shared.expiresAtMs()))
      ended.abort(new HandoffError("LEASE_LOST"));
  };
  const throwIfEnded = (): void => {
    tick();
    ended.signal.throwIfAborted();
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
    throwIfEnded,
    progress: (note) => {
      const progress = progressOf(note);
      options.onProgress?.(progress);
      thread.tell({ kind: "progress", progress });
    },
    preview: (frame, png) => thread.tell({ kind: "preview", frame, png }),
    submitting: () => {
      throwIfEnded();
      submitting = true;
    },
    stop: async () => {
      stopped.abort();
      options.signal.removeEventListener("abort", onInterrupt);
      await thread.stop();
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

function pauseHost(run: RunContext, pause: { status: number; retryAfter: string | null }): void {
  const now = run.options.clock.wallSeconds();
  const asked = readRetryAfter(pause.retryAfter, now);
  const { host } = run.client.url;
  const reason = `HTTP ${pause.status} to a heartbeat`;
  if (asked.kind === "hold") run.state.hosts.hold(host, `${reason}, ${asked.why}`);
  if (asked.kind === "at") run.state.hosts.pause(host, asked.at, reason);
}
