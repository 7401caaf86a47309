import { Command } from "commander";
import type { CliContext } from "../context.ts";
import type { StatusFlags } from "../flags/status.ts";
import { options } from "../options.ts";
import { withAdministration } from "./administration.ts";

export const statusCommand = (context: CliContext): Command =>
  withAdministration(
    new Command("status").description("Shows each slot: state, worker, fence, lease, progress."),
  )
    .option("--job <id>", "only this job")
    .option("--all", "every finished handoff too, not only the newest 20")
    .option("--watch", "keep showing until every slot is done")
    .addOption(options.tokenFile())
    .addHelpText("after", "\nExample:\n  $ render-handoff status --job shot-12 --data gateway-data --watch")
    .action(async (flags: StatusFlags) => (await import("../actions/status.ts")).status(flags, context));
