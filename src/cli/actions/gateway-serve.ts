import { HandoffError } from "../../core/error.ts";
import { openGateway } from "../../gateway/open.ts";
import type { CliContext } from "../context.ts";
import type { GatewayServeFlags } from "../flags/gateway.ts";
import { keepTlsNew, readTls, type TlsFiles } from "../tls-files.ts";

/** Serves until a signal comes, then finishes what is under way; a stop that was asked for is exit code 0. */
export async function gatewayServe(flags: GatewayServeFlags, context: CliContext): Promise<void> {
  const files = tlsFiles(flags);
  const tls = files === null ? null : await readTls(files);
  const opened = openGateway({
    dataFolder: flags.data,
    host: flags.host,
    port: flags.port,
    clock: context.clock,
    logger: context.logger,
    behindProxy: flags.behindProxy === true,
    pageToken: flags.pageToken === true,
    ...(tls === null ? {} : { tls }),
    connections: flags.maxConnections,
    ...(flags.rateLimit === 0 ? {} : { rateLimit: flags.rateLimit }),
    ...(flags.blobs === undefined ? {} : { blobsUrl: flags.blobs }),
    ...(flags.store === undefined ? {} : { storeUrl: flags.store }),
  });
  keepTlsNew(files, opened, context);
  const gateway = await opened;
  try {
    context.out(
      flags.json
        ? `${JSON.stringify({ url: gateway.url, gateway_id: gateway.gatewayId })}\n`
        : `serving ${gateway.url}\ngateway ${gateway.gatewayId}\nadministrator's token in ${flags.data}/admin-token\nstop with Ctrl-C\n`,
    );
    await aborted(context.signal);
  } finally {
    await gateway.close();
  }
  context.expectStop();
}

function tlsFiles({ tlsCert, tlsKey }: GatewayServeFlags): TlsFiles | null {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new HandoffError("USAGE_ARGUMENT", "--tls-cert and --tls-key go together.");
  return { cert: tlsCert, key: tlsKey };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
    // an abort signal alone does not keep the process alive; the listening server does
  });
