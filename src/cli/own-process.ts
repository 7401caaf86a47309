import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { HandoffError } from "../core/error.ts";
import type { CliContext } from "./context.ts";
import { Endpoint } from "./endpoint.ts";
import type { ProgramName } from "./program-name.ts";

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

/** Runs one of our commands as its own process to its end; it is stopped when the context's signal aborts. */
export async function runOwn({ program, args, context }: OwnCommand): Promise<OwnRun> {
  const result = await execa(process.execPath, [binOf(program), ...args], {
    reject: false,
    stdin: "ignore",
    cancelSignal: context.signal,
    forceKillAfterDelay: 10_000,
  });
  if (context.signal.aborted)
    throw new HandoffError("INTERRUPTED", `It was ${String(context.signal.reason)}.`);
  return { exitCode: result.exitCode ?? 128, stdout: result.stdout, stderr: result.stderr };
}

export interface ServedGateway {
  readonly url: string;
  readonly gatewayId: string;
  stop(): Promise<void>;
}

/** Starts `gateway serve` as its own process and waits for its first line. */
export async function serveOwn(dataFolder: string, context: CliContext): Promise<ServedGateway> {
  const args = ["gateway", "serve", "--data", dataFolder, "--port", "0", "--json"];
  const child = execa(process.execPath, [binOf("render-handoff"), ...args], {
    reject: false,
    stdin: "ignore",
    stderr: "ignore",
    buffer: false,
    cancelSignal: context.signal,
    forceKillAfterDelay: 10_000,
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, "line"), child.then(() => [])]);
  const endpoint = Endpoint.safeParse(typeof line === "string" ? JSON.parse(line) : null);
  if (endpoint.success) {
    const stop = async (): Promise<void> => {
      child.kill("SIGTERM");
      await child;
    };
    return { url: endpoint.data.url, gatewayId: endpoint.data.gateway_id, stop };
  }
  throw new HandoffError("GATEWAY_UNREACHABLE", "The gateway process ended before it served.");
}

const binOf = (program: ProgramName): string =>
  fileURLToPath(
    new URL(`./bin/${program}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url),
  );
