import { existsSync } from "node:fs";
import { join } from "node:path";
import { HandoffError } from "../core/error.ts";
import { readCapped } from "../core/files/read-capped.ts";
import { readDocument } from "../core/json/read-document.ts";
import { TOKEN_FILE } from "../gateway/data-folder.ts";
import { type ExchangeRecord, type GatewayClient, openGatewayClient } from "../gateway-client/client.ts";
import { memoryHostGate } from "../gateway-client/host-gate.ts";
import type { CliContext } from "./context.ts";
import { Endpoint } from "./endpoint.ts";
import type { AdministrationFlags } from "./flags/administration.ts";
import { readToken } from "./read-token.ts";

const ENDPOINT_FILE = "endpoint.json";

/**
 * Runs `work` as the gateway's administrator: by --gateway and a token, or by --data through the gateway that
 * serves the folder; where none does, through one that is started for this command alone. A folder that is no
 * gateway's is refused, for its name may be mistyped: GATEWAY_DATA_INVALID.
 */
export async function administer<T>(
  flags: AdministrationFlags,
  context: CliContext,
  work: (client: GatewayClient) => Promise<T>,
): Promise<T> {
  if (flags.gateway === undefined && flags.data !== undefined && !isServed(flags.data)) {
    const { needDatabase } = await import("../gateway/upkeep/need-database.ts");
    await needDatabase(flags.data);
  }
  return await administerOrMake(flags, context, work);
}

/** The same for what a new gateway can begin with: it is made where there is none. */
export async function administerOrMake<T>(
  flags: AdministrationFlags,
  context: CliContext,
  work: (client: GatewayClient) => Promise<T>,
): Promise<T> {
  if (flags.gateway !== undefined) {
    if (flags.adminTokenFile === undefined)
      throw new HandoffError("USAGE_ARGUMENT", "--gateway needs --admin-token-file.");
    const token = await readToken(flags.adminTokenFile);
    return await withClient(
      { url: flags.gateway, token, allowInsecure: flags.allowInsecure === true, context },
      work,
    );
  }
  if (flags.data === undefined)
    throw new HandoffError("USAGE_ARGUMENT", "Give --data, or --gateway and --admin-token-file.");
  return await administerFolder(flags.data, context, work);
}

async function administerFolder<T>(
  folder: string,
  context: CliContext,
  work: (client: GatewayClient) => Promise<T>,
): Promise<T> {
  const through = async (url: string): Promise<T> =>
    await withClient(
      { url, token: await readToken(join(folder, TOKEN_FILE)), allowInsecure: false, context },
      work,
    );
  const { openGateway } = await import("../gateway/open.ts");
  try {
    const gateway = await openGateway({
      dataFolder: folder,
      host: "127.0.0.1",
      port: 0,
      clock: context.clock,
      logger: { log: () => {} },
    });
    try {
      return await through(gateway.url);
    } finally {
      await gateway.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof HandoffError && thrown.code === "GATEWAY_DATA_LOCKED")) throw thrown;
    return await through(await servedAt(folder, thrown));
  }
}

/** Whether a gateway serves the folder, or did until it was killed. */
export const isServed = (folder: string): boolean => existsSync(join(folder, ENDPOINT_FILE));

async function servedAt(folder: string, locked: HandoffError): Promise<string> {
  const read = await readCapped(join(folder, ENDPOINT_FILE), 64 * 1024);
  const endpoint = read.ok ? readDocument(Endpoint, read.bytes) : null;
  if (endpoint === null || !endpoint.ok) throw locked;
  return endpoint.value.url;
}

export interface Connection {
  readonly url: string;
  readonly token: string | null;
  readonly allowInsecure: boolean;
  readonly context: CliContext;
  readonly maxWaitMs?: number;
  readonly onExchange?: (record: ExchangeRecord) => void;
}

/** A client for as long as `work` runs. */
export async function withClient<T>(
  connection: Connection,
  work: (client: GatewayClient) => Promise<T>,
): Promise<T> {
  const { context } = connection;
  const client = openGatewayClient({
    url: connection.url,
    token: connection.token,
    allowInsecure: connection.allowInsecure,
    clock: context.clock,
    logger: { log: () => {} },
    hosts: memoryHostGate(),
    signal: context.signal,
    ...(connection.onExchange === undefined ? {} : { onExchange: connection.onExchange }),
    ...(connection.maxWaitMs === undefined ? {} : { maxWaitMs: connection.maxWaitMs }),
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
