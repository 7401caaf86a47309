import { Command, Option } from "commander";
import type { CliContext } from "../context.ts";
import type { GatewayServeFlags } from "../flags/gateway.ts";
import { integer, options, path } from "../options.ts";
import { backupCommand, checkCommand, gcCommand, newAdminTokenCommand, restoreCommand } from "./upkeep.ts";

export const gatewayCommand = (context: CliContext): Command =>
  new Command("gateway")
    .description("The gateway: a fenced work queue with blobs and provenance.")
    .addCommand(
      new Command("serve")
        .description("Serves a data folder until it is stopped by a signal.")
        .addOption(options.data().makeOptionMandatory())
        .option("--host <address>", "address to listen on", "127.0.0.1")
        .addOption(
          new Option("--port <n>", "port to listen on (0: any free one)")
            .argParser(integer(0, 65_535))
            .default(8_140),
        )
        .addOption(new Option("--tls-cert <file>", "certificate chain in PEM").argParser(path))
        .addOption(new Option("--tls-key <file>", "private key in PEM").argParser(path))
        .option(
          "--behind-proxy",
          "a proxy ends TLS: any address may be listened on, and who comes from this machine needs a token too",
        )
        .option("--page-token", "ask for a token before the page is shown on this machine too")
        .addOption(options.store())
        .addOption(options.blobs())
        .addOption(
          new Option("--rate-limit <n>", "requests of one worker in 10 seconds, then 429 (0: no limit)")
            .argParser(integer(0, 1_000_000))
            .default(3_000),
        )
        .addOption(
          new Option("--max-connections <n>", "connections at the same time")
            .argParser(integer(1, 1_000_000))
            .default(1_000),
        )
        .addOption(options.json())
        .addHelpText(
          "after",
          `
Example:
  $ render-handoff gateway serve --data gateway-data

With --store several gateways share one database, each with a data folder of its own; a password comes from
PGPASSFILE or PGPASSWORD rather than the URL. The first of them makes the administrator's token. Gateways
that share a store need --blobs too; endpoint and credentials as for AWS tools (AWS_ENDPOINT_URL_S3, AWS_REGION).

The data folder holds the administrator's token (admin-token, mode 0600) and, while serving, endpoint.json.
On SIGHUP certificate and key are read anew, for new connections; a pair that cannot be used is logged, and the old one
stays.
With --json the first line of stdout is {"url": …, "gateway_id": …}. Logs go to stderr, one JSON object a line.`,
        )
        .action(async (flags: GatewayServeFlags) =>
          (await import("../actions/gateway-serve.ts")).gatewayServe(flags, context),
        ),
    )
    .addCommand(backupCommand(context))
    .addCommand(restoreCommand(context))
    .addCommand(checkCommand(context))
    .addCommand(gcCommand(context))
    .addCommand(newAdminTokenCommand(context));
