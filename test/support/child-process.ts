import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ChildResult } from "../../contracts/documents/child-result.ts";
import type { ChildOptions } from "../../src/render-child/run.ts";

const MAIN = fileURLToPath(new URL("./child-main.ts", import.meta.url));

export interface ChildEnd {
  /** Null where it was killed before it could say. */
  readonly result: ChildResult | null;
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export interface ChildProcessRun {
  readonly pid: number;
  readonly ended: Promise<ChildEnd>;
  /** Resolves at the first such line on stdout: a phase, or `at POINT`; never where none comes. */
  line(text: string): Promise<void>;
  /** The same promise, but throws how the run ended where it did so before. */
  reaches<T>(what: Promise<T>): Promise<T>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts a run as its own process, stopped at a point where one is given. */
export function startChildProcess(
  options: ChildOptions,
  how: {
    hold?: string;
    /** At that point it waits for a signal (`wait`), or stops itself until SIGCONT. */
    how?: "wait" | "stop";
    env?: Record<string, string>;
    /** What it is started under, as `faketime …`. */
    under?: readonly string[];
  } = {},
): ChildProcessRun {
  const [program = "", ...args] = [
    ...(how.under ?? []),
    process.execPath,
    MAIN,
    JSON.stringify(options),
    how.hold ?? "",
    how.how ?? "wait",
  ];
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...how.env },
  });
  let last = "";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const seen = new Set<string>();
  const waiting = new Map<string, () => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    last = line;
    seen.add(line);
    waiting.get(line)?.();
  });
  const ended = once(child, "close").then(() => ({
    result: last.startsWith("{") ? ChildResult.parse(JSON.parse(last)) : null,
    exit: child.exitCode,
    signal: child.signalCode,
    stderr,
  }));
  return {
    pid: child.pid ?? 0,
    ended,
    line: (text) =>
      new Promise((resolve) => {
        if (seen.has(text)) resolve();
        else waiting.set(text, resolve);
      }),
    reaches: (what) =>
      Promise.race([
        what,
        ended.then((end) => {
          throw new Error(`the run ended before: ${JSON.stringify(end)}`);
        }),
      ]),
    kill: (signal) => void child.kill(signal),
  };
}
