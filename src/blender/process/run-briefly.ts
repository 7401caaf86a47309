import { type ChildProcess, spawn } from "node:child_process";
import type { Clock } from "../../core/clock.ts";
import { systemCode } from "../../core/error.ts";
import { TIMED_OUT, within } from "./within.ts";

export interface BriefRun {
  /** null when it could not be started, was killed or had not ended in time. */
  readonly exitCode: number | null;
  /** Both streams, at most 64 KiB. */
  readonly output: string;
}

const OUTPUT_BYTES = 64 * 1024;

/**
 * Runs a short question to a program (`--version`) with nothing of our environment, in a group of its own that
 * is killed at a deadline, when the signal aborts, or when it says more than a short answer.
 */
export async function runBriefly(options: {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly milliseconds: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}): Promise<BriefRun> {
  const child = spawn(options.file, options.args, {
    env: options.env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    chunks.push(chunk.subarray(0, OUTPUT_BYTES - size));
    size = Math.min(OUTPUT_BYTES, size + chunk.byteLength);
    if (size === OUTPUT_BYTES) killGroup(child);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const closed = new Promise<{ code: number | null; failed: Error | null }>((resolve) => {
    child.once("error", (failed) => resolve({ code: null, failed }));
    child.once("close", (code) => resolve({ code, failed: null }));
  });
  const stop = (): void => killGroup(child);
  options.signal?.addEventListener("abort", stop);
  if (options.signal?.aborted === true) stop();
  const ended = await within(closed, options.milliseconds, options.clock);
  options.signal?.removeEventListener("abort", stop);
  if (ended === TIMED_OUT) {
    killGroup(child);
    // A descendant that left the group can hold the pipes open for ever: they are given up.
    child.stdout.destroy();
    child.stderr.destroy();
    return { exitCode: null, output: "no answer in time" };
  }
  const output = Buffer.concat(chunks).toString();
  return { exitCode: ended.code, output: output.length > 0 ? output : (ended.failed?.message ?? "") };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (thrown) {
    if (systemCode(thrown) !== "ESRCH") throw thrown; // it has ended in the meantime
  }
}
