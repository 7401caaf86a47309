import { Command, Option } from "commander";
import type { CliContext } from "../context.ts";
import type { DoctorFlags } from "../flags/doctor.ts";
import { options, path } from "../options.ts";

export const doctorCommand = (context: CliContext): Command =>
  new Command("doctor")
    .description("Says what this machine can do and what is missing.")
    .addOption(options.blender())
    .addOption(
      new Option("--state <dir>", "state folder whose disk is looked at (default: the state home)")
        .env("RENDER_HANDOFF_STATE")
        .argParser(path),
    )
    .addOption(options.gateway())
    .addOption(options.tokenFile())
    .addOption(options.allowInsecure())
    .addOption(options.json())
    .addHelpText(
      "after",
      "\nExample:\n  $ render-handoff doctor --gateway http://127.0.0.1:8140 --token-file worker-a.token\n\nExit codes: 0 no fault; 4 a fault.",
    )
    .action(async (flags: DoctorFlags) => (await import("../actions/doctor.ts")).doctor(flags, context));
