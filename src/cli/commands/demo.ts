import { Command, Option } from "commander";
import type { CliContext } from "../context.ts";
import type { DemoFlags } from "../flags/demo.ts";
import { options, path } from "../options.ts";

export const demoCommand = (context: CliContext): Command =>
  new Command("demo")
    .description("The main job, for real, on this machine: a gateway, two workers, one checker.")
    .addOption(
      new Option("--out <dir>", "where the sequence is assembled; must not exist yet").argParser(path),
    )
    .addOption(options.frames().default({ first: 205, last: 210 }, "205-210"))
    .addOption(
      new Option("--scene <file>", "a .blend of your own (default: a small scene made by Blender)").argParser(
        path,
      ),
    )
    .addOption(new Option("--make-scene <file>", "only write the demo's own scene there").argParser(path))
    .addOption(options.blender())
    .addOption(options.trustScenes())
    .option(
      "--with-bad-worker",
      "a worker hands in half a frame: rejected, rendered again by another one, accepted",
    )
    .option("--watch", "print the address of the page at once, and serve it after the end until Ctrl-C")
    .addOption(options.json())
    .addHelpText(
      "after",
      "\nExamples:\n  $ render-handoff demo\n  $ render-handoff demo --watch\n  $ render-handoff demo --with-bad-worker\n  $ render-handoff demo --out pictures --frames 1-24 --scene shot.blend",
    )
    .action(async (flags: DemoFlags) => (await import("../actions/demo.ts")).demo(flags, context));
