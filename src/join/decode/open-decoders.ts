import { availableParallelism } from "node:os";
import type { Clock } from "../../core/clock.ts";
import { siblingModule } from "../../core/sibling.ts";
import { memoryShare } from "./memory-share.ts";
import type { DecodeAnswer, DecodeTask } from "./messages.ts";
import { Pool } from "./pool.ts";
import type { Decoders } from "./run-plan.ts";

export interface DecodeSettings {
  /** Most threads. */
  readonly threads?: number;
  /** Bytes of the bundles that are to be decoded, where they are known: how many threads start at once. */
  readonly bundleBytes?: number;
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
/** A thread takes as long to start as it takes to decode about that much. */
const BYTES_A_THREAD = 8 * 1024 * 1024;

/** Starts the decoder threads; their start-up then runs beside the reading of the evidence. */
export function openDecoders(settings: DecodeSettings, clock: Pick<Clock, "sleep">): Decoders {
  const threads = settings.threads ?? threadsHere();
  const memoryBytes = settings.memoryBytes ?? memoryShare(threads);
  return new Pool<DecodeTask, DecodeAnswer>({
    entry: settings.entry ?? siblingModule(import.meta.url, "worker"),
    size: threads,
    first: 1 + Math.floor((settings.bundleBytes ?? Infinity) / BYTES_A_THREAD),
    startMs: settings.startMs ?? STANDARD.startMs,
    deadlineMs: settings.deadlineMs ?? STANDARD.deadlineMs,
    heapMegabytes: settings.heapMegabytes ?? STANDARD.heapMegabytes,
    workerData: { memoryBytes },
    clock,
  }).start();
}
