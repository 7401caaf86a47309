import type { ErrorCode } from "../../../contracts/catalogue.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import type { Clock } from "../../core/clock.ts";
import type { Command } from "../containment/command.ts";
import { endFamily, type Proof } from "./end-family.ts";
import { Family } from "./family.ts";
import { LineSplitter } from "./line-splitter.ts";
import { reasonOf } from "./reason.ts";
import { start } from "./start.ts";
import { within } from "./within.ts";

export interface ProcessOptions {
  readonly command: Command;
  readonly marker: string;
  readonly cwd: string;
  /** Milliseconds that it may live, kill grace not included. */
  readonly watchdogMs: number;
  /** Aborting kills; its reason is a code of the catalogue or a HandoffError. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly onLine: (line: string) => void;
  readonly onStarted?: (pid: number) => void;
}

interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly wallMs: number;
  readonly peakRssBytes: number;
  readonly proof: Proof;
}
export type ProcessEnd =
  | ({ readonly ended: "finished" } & Ended)
  | ({ readonly ended: "killed"; readonly reason: ErrorCode } & Ended)
  | { readonly ended: "failed_to_start"; readonly detail: string };

/** Bytes of one stream that are cut into lines; a flood beyond is only counted down to its end. */
const STREAM_BYTES = 32 * 1024 * 1024;
const FIRST_SAMPLE_MS = 250;
const SAMPLE_MS = 1_000;
const DRAIN_MS = 500;

/**
 * Runs one process in a group of its own until it ends, the watchdog or the signal, and proves that nothing of
 * it is left. The first reason to kill wins. Must be called on the main thread: PDEATHSIG fires when the
 * spawning *thread* ends.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const { clock } = options;
  const started = clock.monotonicMs();
  const child = await start(options);
  if ("failed" in child) return { ended: "failed_to_start", detail: child.failed };
  const { pid, exited } = child;
  const drained = [child.stdout, child.stderr].map((stream) => drain(stream, options.onLine));
  const family = new Family(pid, options.marker);
  // Fixes the root's start time, before its number could name anybody else.
  family.living();
  options.onStarted?.(pid);

  const over = new AbortController();
  const sampling = sample(family, clock, over.signal);
  const first = await Promise.race([
    exited.then(() => null),
    watchdog(options, over.signal),
    aborted(options.signal, over.signal),
  ]);
  over.abort();
  await sampling;
  // A good end may leave members behind; they get no grace, there is nothing that they could still save.
  const proof = await endFamily({
    living: () => family.living(),
    graceMs: first === null ? 0 : LIMITS.killGraceMs,
    clock,
  });
  // A descendant can hold the pipes open for ever: bounded, then they are destroyed.
  await within(Promise.all(drained), DRAIN_MS, clock);
  child.stdout.destroy();
  child.stderr.destroy();
  const exit = await within(exited, DRAIN_MS, clock);
  const common = {
    exitCode: typeof exit === "symbol" ? null : exit.code,
    signal: typeof exit === "symbol" ? null : exit.signal,
    wallMs: Math.round(clock.monotonicMs() - started),
    peakRssBytes: family.peakRssBytes,
    proof,
  };
  return first === null ? { ended: "finished", ...common } : { ended: "killed", reason: first, ...common };
}

function drain(stream: NodeJS.ReadableStream, onLine: (line: string) => void): Promise<void> {
  const splitter = new LineSplitter(onLine, { lineBytes: LIMITS.logLineBytes, streamBytes: STREAM_BYTES });
  return new Promise((resolve) => {
    const end = () => {
      splitter.end();
      resolve();
    };
    stream.on("data", (chunk: Buffer) => splitter.push(chunk));
    stream.once("close", end);
    stream.on("error", () => {});
  });
}

async function watchdog(options: ProcessOptions, over: AbortSignal): Promise<ErrorCode | null> {
  try {
    await options.clock.sleep(Math.max(0, options.watchdogMs), over);
    return "RENDER_WATCHDOG";
  } catch {
    return null;
  }
}

const aborted = (signal: AbortSignal, over: AbortSignal): Promise<ErrorCode> =>
  new Promise((resolve) => {
    const fire = () => resolve(reasonOf(signal));
    if (signal.aborted) fire();
    else signal.addEventListener("abort", fire, { once: true, signal: over });
  });

/** Looks at the family now and then: its peak memory, and who belongs to it before they can hide. */
async function sample(family: Family, clock: Clock, over: AbortSignal): Promise<void> {
  try {
    for (let wait = FIRST_SAMPLE_MS; ; wait = SAMPLE_MS) {
      await clock.sleep(wait, over);
      family.living();
    }
  } catch {
    // The run is over.
  }
}
