import { HandoffError } from "../../core/error.ts";
import type { CliContext } from "../context.ts";
import type { DemoFlags } from "../flags/demo.ts";
import type { OwnRun, ServedGateway } from "../own-process.ts";
import type { Stage } from "./stage.ts";

/** What every part of a demo works with. */
export interface Play {
  readonly flags: DemoFlags;
  readonly context: CliContext;
  readonly stage: Stage;
  readonly gateway: ServedGateway;
  readonly out: string;
}

/** The job of a demo as the checker knows it from the submitter. */
export interface Anchor {
  readonly jobId: string;
  readonly jobSha256: string;
}

export interface Timer {
  /** Milliseconds by part. */
  readonly timings: Readonly<Record<string, number>>;
  /** Says what begins, and how long it took. */
  timed<T>(name: string, say: string, work: () => Promise<T>): Promise<T>;
}

export function openTimer({ clock, err }: Pick<CliContext, "clock" | "err">): Timer {
  const timings: Record<string, number> = {};
  return {
    timings,
    timed: async (name, say, work) => {
      err(`demo: ${say}\n`);
      const started = clock.monotonicMs();
      const value = await work();
      timings[name] = Math.round(clock.monotonicMs() - started);
      return value;
    },
  };
}

/** One of our own processes ended otherwise than it should: what it said is shown as it is. */
export const ended = (what: string, run: OwnRun): HandoffError =>
  new HandoffError("DEMO_FAILED", `${what} ended with exit code ${run.exitCode}.`, {
    details: `${run.stdout}\n${run.stderr}`
      .split("\n")
      .filter((line) => line !== "")
      .slice(-20),
  });
