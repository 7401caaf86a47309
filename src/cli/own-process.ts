import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { HandoffError } from "../core/error.ts";
import { readDocument } from "../core/json/read-document.ts";
import type { CliContext } from "./context.ts";
import { Endpoint } from "./endpoint.ts";
import type { ProgramName } from "./program-name.ts";

// node:child_process alone: a library over it would be 8 MiB of a conformance run's memory

/** How one of our own commands ended; stdout is its JSON document. */
export interface OwnRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface OwnCommand {
  readonly program: ProgramName;
  readonly args: readonly string[];
  readonly context: CliContext;
}

const FORCE_KILL_MS = 10_000;

/** Runs one of our commands as its own process to its end; it is stopped when the context's signal aborts. */
export async function runOwn({ program, args, context }: OwnCommand): Promise<OwnRun> {
  const child = spawn(process.execPath, [binOf(program), ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), ended(child, context)]);
  context.signal.throwIfAborted();
  return { exitCode: child.exitCode ?? 128, stdout, stderr };
}

export interface ServedGateway {
  readonly url: string;
  readonly gatewayId: string;
  stop(): Promise<void>;
  /** Ends it with SIGKILL, as a power cut would. */
  kill(): Promise<void>;
}

/** Starts `gateway serve` as its own process and waits for its first line. */
export async function serveOwn(dataFolder: string, context: CliContext): Promise<ServedGateway> {
  const args = ["gateway", "serve", "--data", dataFolder, "--port", "0", "--json"];
  const child = spawn(process.execPath, [binOf("render-handoff"), ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const end = ended(child, context);
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, "line"), end.then(() => [])]);
  const endWith = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await end;
  };
  const endpoint = readDocument(Endpoint, Buffer.from(String(line ?? "")));
  if (!endpoint.ok) {
    await endWith("SIGKILL");
    throw new HandoffError("GATEWAY_UNREACHABLE", "The gateway process did not say where it serves.");
  }
  return {
    url: endpoint.value.url,
    gatewayId: endpoint.value.gateway_id,
    stop: () => endWith("SIGTERM"),
    kill: () => endWith("SIGKILL"),
  };
}

/** Resolves when the process has ended; an abort of the context ends it, after a while by force. */
async function ended(child: ChildProcess, context: CliContext): Promise<void> {
  const over = new AbortController();
  const stop = (): void => {
    child.kill("SIGTERM");
    context.clock.sleep(FORCE_KILL_MS, over.signal).then(
      () => child.kill("SIGKILL"),
      () => {},
    );
  };
  if (context.signal.aborted) stop();
  context.signal.addEventListener("abort", stop, { once: true, signal: over.signal });
  try {
    await once(child, "close");
  } finally {
    over.abort();
  }
}

const binOf = (program: ProgramName): string =>
  fileURLToPath(
    new URL(`./bin/${program}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url),
  );
