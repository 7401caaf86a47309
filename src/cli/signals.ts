import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface SignalWatch {
  readonly signal: AbortSignal;
  /** 128 + n of the first signal, or null when none came. */
  exitCode(): number | null;
}

/** The first signal aborts and lets the command clean up; a second one of a person at a terminal ends at once. */
export function watchSignals(): SignalWatch {
  const controller = new AbortController();
  let first: (typeof SIGNALS)[number] | null = null;
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (first !== null && name === "SIGINT") process.exit(128 + constants.signals[name]);
      first ??= name;
      controller.abort(first);
    });
  }
  return {
    signal: controller.signal,
    exitCode: () => (first === null ? null : 128 + constants.signals[first]),
  };
}
