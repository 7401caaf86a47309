import { Command, Option } from "commander";
import { SLOTS } from "../../../contracts/flow.ts";
import type { CliContext } from "../context.ts";
import type { RenderChildFlags } from "../flags/render-child.ts";
import { keepMemorySmall } from "../keep-memory-small.ts";
import { integer, options, path } from "../options.ts";

export const renderChildCommand = (context: CliContext): Command =>
  new Command("render-child")
    .description(
      "Makes one run: claims a slot, renders it with the pinned Blender, hands the bundle in, exits.",
    )
    .addOption(
      new Option("--slot <slot>", "which half of the range").choices([...SLOTS]).makeOptionMandatory(),
    )
    .addOption(options.gateway().makeOptionMandatory())
    .addOption(options.tokenFile().makeOptionMandatory())
    .option("--job <id>", "only this job (default: the oldest claimable one)")
    .addOption(
      new Option("--state <dir>", "state folder (default: by gateway and worker in the state home)")
        .env("RENDER_HANDOFF_STATE")
        .argParser(path),
    )
    .addOption(options.blender())
    .addOption(options.threads().default(0, "all"))
    .option("--allow-scripts", "allow scripts in scenes whose job allows them too; needs bubblewrap")
    .addOption(options.trustScenes())
    .addOption(options.allowInsecure())
    .addOption(options.keepMetadata())
    .addOption(options.metadataFolder())
    .addOption(options.metricsFile())
    .option("--drain-only", "hand in what earlier runs left, claim nothing")
    .option("--discard-lost", "give up finished work whose files are gone from the state folder")
    .addOption(
      new Option("--max-wait <seconds>", "longest wait for the gateway within this run")
        .argParser(integer(0, 86_400))
        .default(30),
    )
    .addOption(options.json())
    .addHelpText(
      "after",
      `
Examples:
  $ render-child --slot a --gateway http://127.0.0.1:8140 --token-file worker-a.token
  $ render-child --slot b --job shot-12 --gateway https://render.example --token-file w.token --json

Exit codes: 0 completed, deferred, held, no_due_job or busy; 2 usage; 3 worth a retry; 4 not worth one.`,
    )
    .action(async (flags: RenderChildFlags) => {
      keepMemorySmall(); // before most of the modules are loaded
      await (await import("../actions/render-child.ts")).renderChild(flags, context);
    });
