import { Command, Option } from "commander";
import type { CliContext } from "../context.ts";
import type { ConformanceListFlags, ConformanceRunFlags } from "../flags/conformance.ts";
import { keepMemorySmall } from "../keep-memory-small.ts";
import { options, path } from "../options.ts";

export const conformanceCommand = (context: CliContext): Command =>
  new Command("conformance")
    .description("The gateway's rules as contract modules: find them, play them against a gateway.")
    .addCommand(
      new Command("list")
        .description("Lists the contract modules of this package.")
        .option("--search <words>", "only what answers to the words, best first")
        .addOption(options.json())
        .addHelpText("after", '\nExample:\n  $ render-handoff conformance list --search "lease fencing"')
        .action(async (flags: ConformanceListFlags) =>
          (await import("../actions/conformance-list.ts")).conformanceList(flags, context),
        ),
    )
    .addCommand(
      new Command("run")
        .description("Plays contract modules against a gateway and prints each rule's verdict.")
        .argument("[folders...]", "folders of modules (default: all of this package)")
        .addOption(options.gateway())
        .addOption(options.adminTokenFile())
        .addOption(options.allowInsecure())
        .addOption(
          new Option(
            "--config <file>",
            "configuration document: modules, versions, hashes, memory",
          ).argParser(path),
        )
        .addOption(new Option("--report <file>", "write the report there").argParser(path))
        .addOption(options.json())
        .addHelpText(
          "after",
          `
Examples:
  $ render-handoff conformance run
  $ render-handoff conformance run --gateway https://render.example --admin-token-file admin.token --json

Without --gateway a gateway is started as its own process in a temporary folder. Against a gateway of others,
rules that need its process are not applicable. The run registers its own workers and revokes them.
Exit codes: 0 every rule that was played holds; 1 a rule does not; 2 usage; 3 worth a retry; 4 a module that
is changed or not pinned.`,
        )
        .action(async (folders: string[], flags: ConformanceRunFlags) => {
          keepMemorySmall(); // before the schemas are loaded: most of the memory would be gone by then
          await (await import("../actions/conformance-run.ts")).conformanceRun({ folders, flags, context });
        }),
    );
