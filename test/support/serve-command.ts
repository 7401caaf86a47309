import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { onTestFinished } from "vitest";
import { bareEnvironment } from "./bare-environment.ts";

const BIN = join(import.meta.dirname, "../../src/cli/bin/render-handoff.ts");

export interface ServeCommand {
  readonly url: string;
  readonly child: ChildProcessWithoutNullStreams;
  /** Its log, line by line. */
  readonly log: Interface;
  /** Its exit code after SIGTERM. */
  stop(): Promise<unknown>;
}

/** `gateway serve` as users start it, as its own process, under another command where one is given. */
export async function serveCommand(
  dataFolder: string,
  flags: readonly string[] = [],
  under: readonly string[] = [],
): Promise<ServeCommand> {
  const serve = ["gateway", "serve", "--data", dataFolder, "--port", "0", "--json", ...flags];
  const [program = "", ...args] = [...under, process.execPath, BIN, ...serve];
  const child = spawn(program, args, { env: bareEnvironment() });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close");
  const log = createInterface({ input: child.stderr });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const stop = async (): Promise<unknown> => {
    child.kill("SIGTERM");
    return (await ended)[0];
  };
  return { url: String(JSON.parse(String(line)).url), child, log, stop };
}
