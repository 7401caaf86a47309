import { Command, Option } from "commander";
import { BIT_DEPTHS, COLOR_MODES, ENGINES } from "../../../contracts/frame-names.ts";
import type { CliContext } from "../context.ts";
import type { SubmitFlags } from "../flags/submit.ts";
import { among, integer, options, path, size } from "../options.ts";
import { withAdministration } from "./administration.ts";

const seconds = (flag: string, what: string, most: number): Option =>
  new Option(`${flag} <s>`, what).argParser(integer(1, most));

export const submitCommand = (context: CliContext): Command =>
  withAdministration(
    new Command("submit").description(
      "Makes a job from a .blend file: uploads the scene, enqueues both slots.",
    ),
  )
    .argument("<scene>", "the .blend file", path)
    .addOption(options.frames().makeOptionMandatory())
    .option("--job <id>", "the job's id (default: from the scene's name)")
    .addOption(
      new Option(
        "--scene-root <dir>",
        "folder that holds the scene and the files beside it (default: the scene's own)",
      ).argParser(path),
    )
    .addOption(options.blender())
    .addOption(new Option("--size <wxh>", "picture size (default: the scene's)").argParser(size))
    .addOption(new Option("--engine <engine>", "render engine (default: the scene's)").choices(ENGINES))
    .addOption(
      new Option("--color-mode <mode>", "channels of the frames").choices(COLOR_MODES).default("RGBA"),
    )
    .addOption(
      new Option("--bit-depth <bits>", "bits per channel")
        .choices(BIT_DEPTHS.map(String))
        .argParser(among(BIT_DEPTHS))
        .default(8),
    )
    .addOption(
      new Option("--samples <n>", "samples per pixel (default: the scene's)").argParser(
        integer(1, 1_000_000),
      ),
    )
    .addOption(new Option("--seed <n>", "noise seed").argParser(integer(0, 2_147_483_647)).default(0))
    .option("--allow-scripts", "the scene's own scripts and drivers may run, where the worker allows it too")
    .option("--allow-missing", "submit although files of the scene are missing; recorded in the job")
    .addOption(options.trustScenes())
    .addOption(new Option("--policy <file>", "policy document for the verdict").argParser(path))
    .option(
      "--same-worker",
      "let one worker take both slots (distinct_at_claim off); join still rejects that unless its policy allows",
    )
    .addOption(seconds("--watchdog-seconds", "longest life of Blender in one run (default 180)", 86_400))
    .addOption(seconds("--run-seconds", "longest run from claim to receipt (default 900)", 172_800))
    .addOption(
      seconds("--slot-seconds", "longest time that one claim can hold a slot (default 1800)", 604_800),
    )
    .addOption(seconds("--lease-seconds", "length of a lease (default 60)", 3_600))
    .addOption(
      new Option("--max-claims <n>", "claims of a slot before it is given up (default 8)").argParser(
        integer(1, 1_000),
      ),
    )
    .addHelpText(
      "after",
      "\nExample:\n  $ render-handoff submit shot.blend --frames 205-210 --job shot-12 --data gateway-data",
    )
    .action(async (scene: string, flags: SubmitFlags) =>
      (await import("../actions/submit.ts")).submit({ scene, flags, context }),
    );
