import { availableParallelism } from "node:os";
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
  /** What one frame may take, beside the heap; by default this thread's share of what the machine has. */
  readonly memoryBytes?: number;
  /** Another module for the threads: for tests of what a decoder can do wrong. */
  readonly entry?: URL;
}

const STANDARD = { startMs: 30_000, deadlineMs: 60_000, heapMegabytes: 256 };
/** At least as many as there are bundles; more than frames in a small handoff would only cost their start. */
const threadsHere = (): number => Math.min(Math.max(availableParallelism(), 2), 6);
/** A frame's rows, its file and what the evidence takes beside. */
const SHARE = 0.75;

/** Starts the decoder threads; their start-up then runs beside the reading of the evidence. */
export function openDecoders(settings: DecodeSettings, clock: Pick<Clock, "sleep">): Decoders {
  const threads = settings.threads ?? threadsHere();
  const memoryBytes = settings.memoryBytes ?? Math.floor((process.availableMemory() * SHARE) / threads);
  return new Pool<DecodeTask, DecodeAnswer>({
    entry: settings.entry ?? siblingModule(import.meta.url, "worker"),
    size: threads,
    startMs: settings.startMs ?? STANDARD.startMs,
    deadlineMs: settings.deadlineMs ?? STANDARD.deadlineMs,
    heapMegabytes: settings.heapMegabytes ?? STANDARD.heapMegabytes,
    workerData: { memoryBytes },
    clock,
  }).start();
}
