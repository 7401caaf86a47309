import { addAbortSignal } from "node:stream";
import { type Clock, systemClock } from "../core/clock.ts";
import { jsonLogger, type Logger } from "../core/logger.ts";
import type { SignalWatch } from "./signals.ts";

/** What a command may touch of the outside world; argv, env, signals and streams end here. */
export interface CliContext {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether a person watches stderr: progress is drawn only then. */
  readonly terminal: boolean;
  /** Whether what goes to stdout may be coloured: a terminal that can, and nobody asked for none (NO_COLOR). */
  readonly colour: boolean;
  /** Aborts on SIGINT, SIGTERM and SIGHUP (but see onHangup), and when nobody reads stdout any more; the reason is INTERRUPTED. */
  readonly signal: AbortSignal;
  /** Size of stdout as it is now, where it is a terminal whose lines can be drawn over; else null. */
  screen(): ScreenSize | null;
  /** Columns of the terminal at stderr as it is now. */
  columns(): number;
  /** Stdin, piece by piece; a signal ends it. */
  readonly input: AsyncIterable<Uint8Array>;
  out(text: string): void;
  err(text: string): void;
  /** Exit code of a command that ended without an error and without a signal; 0 unless set. */
  setExit(code: number): void;
  /** For a command that works until it is stopped, once it has ended in order: the signal is no failure. */
  expectStop(): void;
  /** For a command that reads files anew on SIGHUP: from now on it asks for that, and ends nothing. */
  onHangup(renew: () => void): void;
}

export interface ScreenSize {
  readonly rows: number;
  readonly columns: number;
}

/** A terminal that does not know its size says 0: taken as without bounds. */
const sizeOf = ({ rows, columns }: { rows?: number; columns?: number }): ScreenSize => ({
  rows: rows || Infinity,
  columns: columns || Infinity,
});

export const openContext = (signals: SignalWatch): CliContext => ({
  clock: systemClock,
  logger: jsonLogger(systemClock, (line) => process.stderr.write(line)),
  env: process.env,
  cwd: process.cwd(),
  terminal: process.stderr.isTTY === true,
  colour: process.stdout.isTTY === true && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb",
  screen: () =>
    process.stdout.isTTY === true && process.env["TERM"] !== "dumb" ? sizeOf(process.stdout) : null,
  columns: () => sizeOf(process.stderr).columns,
  signal: signals.signal,
  input: {
    [Symbol.asyncIterator]: () => addAbortSignal(signals.signal, process.stdin)[Symbol.asyncIterator](),
  },
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  setExit: (code) => {
    process.exitCode = code;
  },
  expectStop: () => signals.expectStop(),
  onHangup: (renew) => signals.onHangup(renew),
});
