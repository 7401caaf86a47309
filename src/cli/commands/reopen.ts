import { Command } from "commander";
import type { CliContext } from "../context.ts";
import type { ReopenFlags } from "../flags/reopen.ts";
import { withAdministration } from "./administration.ts";

export const reopenCommand = (context: CliContext): Command =>
  withAdministration(
    new Command("reopen").description(
      "Makes a slot ready again that is done or out of attempts; its fence goes on counting, old receipts stay.",
    ),
  )
    .argument("<task>", "the slot's task id, <job>.<slot>")
    .requiredOption("--reason <codes>", "finding codes that are the reason")
    .addHelpText(
      "after",
      "\nExample:\n  $ render-handoff reopen shot-12.b --reason JOIN_FRAME_DIGEST --data gateway-data",
    )
    .action(async (task: string, flags: ReopenFlags) =>
      (await import("../actions/reopen.ts")).reopen({ task, flags, context }),
    );
