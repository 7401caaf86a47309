import { Command, Option } from "commander";
import type { CliContext } from "../context.ts";
import type { BlenderFetchFlags } from "../flags/blender.ts";
import { options, path } from "../options.ts";

export const blenderCommand = (context: CliContext): Command =>
  new Command("blender").description("Installs Blender.").addCommand(
    new Command("fetch")
      .description("Installs an official archive that your pins file names, checked by its SHA-256.")
      .argument("<version>", "as in 4.3.2")
      .addOption(
        new Option("--pins <file>", "your list of archives: version, platform, url, sha256, bytes")
          .argParser(path)
          .makeOptionMandatory(),
      )
      .addOption(
        new Option("--into <dir>", "where to install (default: 'blenders' in the state home)").argParser(
          path,
        ),
      )
      .addOption(options.json())
      .addHelpText(
        "after",
        "\nExample:\n  $ render-handoff blender fetch 4.3.2 --pins pins.json\n\nThe pins file is described in docs/BLENDER.md.",
      )
      .action(async (version: string, flags: BlenderFetchFlags) =>
        (await import("../actions/blender-fetch.ts")).blenderFetch({ version, flags, context }),
      ),
  );
