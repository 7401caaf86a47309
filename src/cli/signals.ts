import { constants } from "node:os";
import { HandoffError } from "../core/error.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type Ending = (typeof SIGNALS)[number] | "SIGPIPE";

export interface SignalWatch {
  /** Its reason is the HandoffError INTERRUPTED, so that whoever throws it throws one of ours. */
  readonly signal: AbortSignal;
  /** 128 + n of the first signal, 0 where a stop was what the command waited for, or null when none came. */
  exitCode(): number | null;
  /** From now on a signal that came or comes is the command's ordinary end. */
  expectStop(): void;
  /** From now on SIGHUP asks for this and ends nothing. */
  onHangup(renew: () => void): void;
  /** Nobody reads what we say any more. */
  readerGone(): boolean;
}

/**
 * The first signal aborts and lets the command clean up; a second one of a person at a terminal ends at once. A
 * reader of our output that has gone counts as SIGPIPE, so that nothing is left running for nobody.
 */
export function watchSignals(): SignalWatch {
  const controller = new AbortController();
  let first: Ending | null = null;
  let expected = false;
  let renew: (() => void) | null = null;
  const end = (name: Ending): void => {
    first ??= name;
    controller.abort(new HandoffError("INTERRUPTED", `(${first})`));
  };
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (name === "SIGHUP" && renew !== null) return renew();
      if (first !== null && name === "SIGINT") process.exit(128 + constants.signals[name]);
      end(name);
    });
  }
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // EIO: of a terminal that was closed
      if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
      end("SIGPIPE");
    });
  return {
    signal: controller.signal,
    exitCode: () => (first === null ? null : expected ? 0 : 128 + constants.signals[first]),
    expectStop: () => {
      expected = true;
    },
    onHangup: (asked) => {
      renew = asked;
    },
    readerGone: () => first === "SIGPIPE",
  };
}
