import { Command, InvalidArgumentError, Option } from "commander";
import { SLOTS } from "../../../contracts/flow.ts";
import { secondsOf } from "../../core/clock.ts";
import type { CliContext } from "../context.ts";
import type { DispatchEnqueueFlags, DispatchFlags, DispatchRunFlags } from "../flags/dispatch.ts";
import { integer, options, path } from "../options.ts";

export const dispatchCommand = (context: CliContext): Command =>
  new Command("dispatch")
    .description("Runs render-child when something is due: one run a call, made for cron and systemd timers.")
    .addCommand(enqueueCommand(context))
    .addCommand(listCommand(context))
    .addCommand(runCommand(context))
    .addCommand(unholdCommand(context));

const enqueueCommand = (context: CliContext): Command =>
  withState(
    new Command("enqueue").description("Adds an entry; an id that is known is refused and unchanged."),
  )
    .argument("<id>", "a name for the entry")
    .addOption(
      new Option("--slot <slot>", "which half of the range").choices([...SLOTS]).makeOptionMandatory(),
    )
    .addOption(options.gateway().makeOptionMandatory())
    .option("--job <id>", "only this job, once (default: the oldest claimable one, again and again)")
    .addOption(
      new Option("--every <seconds>", "pause after a run, without --job (default 60)").argParser(
        integer(1, 2_592_000),
      ),
    )
    .addOption(new Option("--due <time>", "not before, as in 2027-01-31T20:00:00Z").argParser(time))
    .addOption(options.allowInsecure())
    .addHelpText(
      "after",
      "\nExample:\n  $ render-handoff dispatch enqueue nights --slot a --gateway http://127.0.0.1:8140 --token-file w.token",
    )
    .action(async (id: string, flags: DispatchEnqueueFlags) =>
      (await import("../actions/dispatch.ts")).enqueueEntry({ id, flags, context }),
    );

const listCommand = (context: CliContext): Command =>
  withState(
    new Command("list").description("Shows the entries: state, next due time, last outcome, holds."),
  ).action(async (flags: DispatchFlags) =>
    (await import("../actions/dispatch.ts")).showEntries(flags, context),
  );

const runCommand = (context: CliContext): Command =>
  withState(new Command("run").description("Runs at most one entry that is due, then exits."), true)
    .addOption(
      new Option("--output <newdir>", "folder to make: result.json and capture/ (each exchange)")
        .argParser(path)
        .makeOptionMandatory(),
    )
    .addOption(options.blender())
    .addOption(options.threads().default(0, "all"))
    .option("--allow-scripts", "allow scripts in scenes whose job allows them too; needs bubblewrap")
    .addOption(options.trustScenes())
    .addOption(options.allowInsecure())
    .addOption(options.keepMetadata())
    .addOption(options.metadataFolder())
    .addOption(options.metricsFile())
    .addOption(
      new Option("--max-wait <seconds>", "longest wait for the gateway within this run")
        .argParser(integer(0, 86_400))
        .default(5),
    )
    .addOption(
      new Option("--now <time>", "run as if it were this time: loopback gateways only").argParser(time),
    )
    .addHelpText(
      "after",
      `
Example:
  $ render-handoff dispatch run --token-file w.token --output runs/$(date -u +%Y%m%dT%H%M%SZ)

Exit codes: 0 completed, deferred, held, no_due_job or busy; else that of the run.`,
    )
    .action(async (flags: DispatchRunFlags) =>
      (await import("../actions/dispatch.ts")).runEntry(flags, context),
    );

const unholdCommand = (context: CliContext): Command =>
  withState(
    new Command("unhold").description("Clears the hold of a host or an entry, after somebody looked."),
  )
    .argument("<name>", "host:port or an entry's id, as list shows it")
    .action(async (name: string, flags: DispatchFlags) =>
      (await import("../actions/dispatch.ts")).clearHold({ name, flags, context }),
    );

const withState = (command: Command, tokenNeeded = false): Command =>
  command
    .addOption(
      new Option("--state <dir>", "state folder (default: by the token's worker in the state home)")
        .env("RENDER_HANDOFF_STATE")
        .argParser(path),
    )
    .addOption(tokenNeeded ? options.tokenFile().makeOptionMandatory() : options.tokenFile())
    .addOption(options.json());

function time(value: string): number {
  const seconds = secondsOf(value);
  if (seconds === null) throw new InvalidArgumentError("Not a UTC time as in 2027-01-31T20:00:00Z.");
  return seconds;
}
