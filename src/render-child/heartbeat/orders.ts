import type { Progress } from "../../../contracts/wire/queue.ts";

/** What the heartbeat thread is given when it starts. */
export interface HeartbeatConnection {
  readonly origin: string;
  readonly path: string;
  /** Without the task's id. */
  readonly previews: string;
  readonly fenceHeader: string;
  readonly token: string;
  readonly gatewayId: string;
  readonly shared: SharedArrayBuffer;
}

/** What it is told once there is a lease. Times are monotonic milliseconds of this process. */
export interface HeartbeatOrders {
  readonly lease: { readonly task_id: string; readonly worker_id: string; readonly fencing_token: number };
  readonly leaseSeconds: number;
  readonly deadlineMs: number;
  /** How long the main thread may show no life. */
  readonly silenceMs: number;
  /** Processes to kill are found by it. */
  readonly marker: string;
}

export type ToThread =
  | { readonly kind: "arm"; readonly orders: HeartbeatOrders }
  | { readonly kind: "progress"; readonly progress: Progress }
  | { readonly kind: "preview"; readonly frame: number; readonly png: Uint8Array }
  | { readonly kind: "stop" };
/** `pause`: the gateway asked for one, and the main thread keeps the host gate. */
export type FromThread =
  | { readonly kind: "ready" }
  | { readonly kind: "pause"; readonly status: number; readonly retryAfter: string | null };

/** Why the guard ended a run; 0 while it has not. First wins. */
export const ENDED = { no: 0, lost: 1, deadline: 2, silent: 3 } as const;

/** Memory that both threads see, so that neither waits for the other's event loop. */
export interface Shared {
  readonly buffer: SharedArrayBuffer;
  /** Own expiry of the lease. */
  expiresAtMs(): number;
  extendTo(expiresAtMs: number): void;
  life(): number;
  showLife(): void;
  ended(): number;
  end(why: number): void;
}

export function sharedState(buffer = new SharedArrayBuffer(16)): Shared {
  const expiry = new Float64Array(buffer, 0, 1);
  const words = new Int32Array(buffer, 8, 2);
  return {
    buffer,
    expiresAtMs: () => expiry[0] ?? 0,
    extendTo: (expiresAtMs) => {
      expiry[0] = expiresAtMs;
    },
    life: () => Atomics.load(words, 0),
    showLife: () => void Atomics.add(words, 0, 1),
    ended: () => Atomics.load(words, 1),
    end: (why) => void Atomics.compareExchange(words, 1, ENDED.no, why),
  };
}

/** Seconds on the gateway's clock are whole ones, and the margin is for what a worker cannot see. */
const MARGIN_MS = 1_000 + 250;

/** Own expiry of a lease of `seconds` that was asked for at `askedMs`: never later than the gateway's. */
export const ownExpiry = (askedMs: number, seconds: number): number => askedMs + seconds * 1_000 - MARGIN_MS;
