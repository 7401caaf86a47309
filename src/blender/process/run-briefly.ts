import { execa } from "execa";
import type { Clock } from "../../core/clock.ts";
import { TIMED_OUT, within } from "./within.ts";

export interface BriefRun {
  /** null when it could not be started, was killed or had not ended in time. */
  readonly exitCode: number | null;
  /** Both streams, at most 64 KiB. */
  readonly output: string;
}

/** Runs a short question to a program (`--version`) with nothing of our environment, killed at a deadline. */
export async function runBriefly(options: {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly milliseconds: number;
  readonly clock: Clock;
}): Promise<BriefRun> {
  const child = execa(options.file, options.args, {
    env: options.env,
    extendEnv: false,
    stdin: "ignore",
    all: true,
    reject: false,
    maxBuffer: 64 * 1024,
    killDescendants: true,
    forceKillAfterDelay: 500,
  });
  const ended = await within(Promise.resolve(child), options.milliseconds, options.clock);
  if (ended === TIMED_OUT) {
    child.kill("SIGKILL");
    // A descendant that holds the pipe keeps execa's promise open for ever: the pipes are given up.
    child.stdout.destroy();
    child.stderr.destroy();
    return { exitCode: null, output: "no answer in time" };
  }
  const output = ended.all.length > 0 ? ended.all : (ended.originalMessage ?? "");
  return { exitCode: ended.exitCode ?? null, output };
}
