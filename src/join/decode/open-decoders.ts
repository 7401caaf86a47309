import type { Clock } from "../../core/clock.ts";
import { siblingModule } from "../../core/sibling.ts";
import type { DecodeAnswer, DecodeTask } from "./messages.ts";
import { Pool } from "./pool.ts";
import type { Decoders } from "./run-plan.ts";

export interface DecodeSettings {
  readonly threads?: number;
  /** For a thread to start. */
  readonly startMs?: number;
  /** For one frame. */
  readonly deadlineMs?: number;
  readonly heapMegabytes?: number;
  /** Another module for the threads: for tests of what a decoder can do wrong. */
  readonly entry?: URL;
}

/** Two threads: as many as there are bundles, and as many cores as the smallest machine has. */
const STANDARD = { threads: 2, startMs: 30_000, deadlineMs: 60_000, heapMegabytes: 256 };

/** Starts the decoder threads; their start-up then runs beside the reading of the evidence. */
export const openDecoders = (settings: DecodeSettings, clock: Pick<Clock, "sleep">): Decoders =>
  new Pool<DecodeTask, DecodeAnswer>({
    entry: settings.entry ?? siblingModule(import.meta.url, "worker"),
    size: settings.threads ?? STANDARD.threads,
    startMs: settings.startMs ?? STANDARD.startMs,
    deadlineMs: settings.deadlineMs ?? STANDARD.deadlineMs,
    heapMegabytes: settings.heapMegabytes ?? STANDARD.heapMegabytes,
    clock,
  }).start();
