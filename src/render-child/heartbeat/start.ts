import { Worker } from "node:worker_threads";
import { HEADERS, ROUTES } from "../../../contracts/routes.ts";
import type { Clock } from "../../core/clock.ts";
import { HandoffError } from "../../core/error.ts";
import { siblingModule } from "../../core/sibling.ts";
import { threadEnvironment } from "../../core/thread-environment.ts";
import type { FromThread, HeartbeatConnection, Shared, ToThread } from "./orders.ts";
import { sharedState } from "./orders.ts";

/** The main thread's end of the heartbeat thread. */
export interface HeartbeatThread {
  readonly shared: Shared;
  /** Resolves when the thread can be armed without delay; rejects when it cannot start. */
  readonly ready: Promise<void>;
  tell(message: ToThread): void;
  /** Pauses that the gateway asked for, and the thread's own failure. */
  listen(to: {
    pause: (pause: { status: number; retryAfter: string | null }) => void;
    failed: (error: HandoffError) => void;
  }): void;
  stop(): Promise<void>;
}

const STOP_MS = 2_000;

/** Starts the thread unarmed: its start-up must not be paid from a short lease. */
export function startHeartbeatThread(options: {
  readonly origin: string;
  readonly base: string;
  readonly token: string;
  readonly gatewayId: string;
  readonly clock: Clock;
}): HeartbeatThread {
  const { clock } = options;
  const shared = sharedState();
  const thread = new Worker(siblingModule(import.meta.url, "thread"), {
    execArgv: [],
    env: threadEnvironment(),
    // its few small objects need no more, and a thread would take 10 MB for them
    resourceLimits: { maxYoungGenerationSizeMb: 1 },
    workerData: {
      origin: options.origin,
      path: `${options.base}${ROUTES.heartbeat.path}`,
      previews: `${options.base}${ROUTES.putPreview.path.replace("{task_id}", "")}`,
      fenceHeader: HEADERS.fencingToken,
      token: options.token,
      gatewayId: options.gatewayId,
      shared: shared.buffer,
    } satisfies HeartbeatConnection,
  });
  const exited = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
  const failure = (thrown: unknown): HandoffError =>
    new HandoffError("INTERNAL_UNEXPECTED", "The heartbeat thread failed.", { cause: thrown });
  const ready = new Promise<void>((resolve, reject) => {
    thread.on("message", (message: FromThread) => {
      if (message.kind === "ready") resolve();
    });
    thread.once("error", (thrown) => reject(failure(thrown)));
    thread.once("exit", () => reject(failure("it ended")));
  });
  ready.catch(() => {}); // who needs it awaits it
  return {
    shared,
    ready,
    tell: (message) => thread.postMessage(message),
    listen: (to) => {
      thread.on("message", (message: FromThread) => {
        if (message.kind === "pause") to.pause(message);
      });
      thread.once("error", (thrown) => to.failed(failure(thrown)));
    },
    stop: async () => {
      thread.postMessage({ kind: "stop" } satisfies ToThread);
      const patience = new AbortController();
      const late = clock.sleep(STOP_MS, patience.signal).then(
        () => thread.terminate(),
        () => 0,
      );
      await Promise.race([exited, late]);
      patience.abort();
    },
  };
}
