import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { gatewayHandle, type TestGateway } from "./gateway.ts";
import type { Mutation } from "./mutations.ts";
import { temporaryFolder } from "./temporary.ts";

export interface GatewayProcess extends TestGateway {
  readonly pid: number;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Resolves with the signal that ended it, or null after a plain exit. */
  readonly ended: Promise<NodeJS.Signals | null>;
  /** Its log so far, JSON lines. */
  log(): string;
}

export interface ProcessOptions {
  readonly dataFolder?: string;
  readonly port?: number;
  /** Where it kills itself: a name of rule 7. */
  readonly faultPoint?: string;
  /** A test build with one rule broken. */
  readonly mutation?: Mutation;
  /** What it is started under, as `strace …`; the gateway's own command line follows. */
  readonly under?: readonly string[];
  /** A store that it shares with others. */
  readonly storeUrl?: string;
  /** A bucket that it shares with others. */
  readonly blobsUrl?: string;
  /** The administrator's token where its data folder holds none. */
  readonly adminToken?: string;
}

/** A real gateway as its own process on a loopback port; stopped when the test ends. */
export async function startGatewayProcess(options: ProcessOptions = {}): Promise<GatewayProcess> {
  const dataFolder = options.dataFolder ?? join(await temporaryFolder(), "data");
  const name = options.mutation === undefined ? "gateway-main.ts" : "mutated-gateway-main.ts";
  const [program = "", ...args] = [
    ...(options.under ?? []),
    process.execPath,
    fileURLToPath(new URL(name, import.meta.url)),
    dataFolder,
    String(options.port ?? 0),
    options.faultPoint ?? "",
    options.mutation ?? "",
  ];
  const { storeUrl, blobsUrl } = options;
  const env = {
    ...process.env,
    ...(storeUrl === undefined ? {} : { GATEWAY_STORE: storeUrl }),
    ...(blobsUrl === undefined ? {} : { GATEWAY_BLOBS: blobsUrl }),
  };
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env });
  const ended = once(child, "close").then((): NodeJS.Signals | null => child.signalCode);
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  onTestFinished(() => stop("SIGTERM"));
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const first = await firstLine(child, () => log);
  const { url, gateway_id } = JSON.parse(first);
  const handle = await gatewayHandle({
    url: String(url),
    gatewayId: String(gateway_id),
    dataFolder,
    close: () => stop("SIGTERM"),
    ...(options.adminToken === undefined ? {} : { adminToken: options.adminToken }),
  });
  return { ...handle, pid: child.pid ?? 0, ended, kill: () => stop("SIGKILL"), log: () => log };
}

async function firstLine(child: ChildProcess, log: () => string): Promise<string> {
  if (child.stdout === null) throw new Error("no stdout");
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error(`the gateway did not start: ${log()}`);
}
