import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type Ending = (typeof SIGNALS)[number] | "SIGPIPE";

export interface SignalWatch {
  readonly signal: AbortSignal;
  /** 128 + n of the first signal, or null when none came. */
  exitCode(): number | null;
}

/**
 * The first signal aborts and lets the command clean up; a second one of a person at a terminal ends at once. A
 * reader of our output that has gone counts as SIGPIPE, so that nothing is left running for nobody.
 */
export function watchSignals(): SignalWatch {
  const controller = new AbortController();
  let first: Ending | null = null;
  const end = (name: Ending): void => {
    first ??= name;
    controller.abort(first);
  };
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (first !== null && name === "SIGINT") process.exit(128 + constants.signals[name]);
      end(name);
    });
  }
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      end("SIGPIPE");
    });
  return {
    signal: controller.signal,
    exitCode: () => (first === null ? null : 128 + constants.signals[first]),
  };
}
