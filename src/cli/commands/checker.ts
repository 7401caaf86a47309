import { Command, Option } from "commander";
import type { CliContext } from "../context.ts";
import type { AdministrationFlags } from "../flags/administration.ts";
import type { CheckerAddFlags } from "../flags/checker.ts";
import { path } from "../options.ts";
import { withAdministration } from "./administration.ts";

export const checkerCommand = (context: CliContext): Command =>
  new Command("checker")
    .description("Registers, lists and revokes checkers: they read everything and decide.")
    .addCommand(
      withAdministration(
        new Command("add").description("Registers a checker; its token is shown once and never again."),
      )
        .argument("<name>", "a name for people")
        .addOption(
          new Option(
            "--token-file <file>",
            "write the token there (mode 0600) instead of showing it",
          ).argParser(path),
        )
        .addHelpText(
          "after",
          "\nExample:\n  $ render-handoff checker add ci --data gateway-data --token-file checker.token",
        )
        .action(async (name: string, flags: CheckerAddFlags) =>
          (await import("../actions/people.ts")).addChecker({ name, flags, context }),
        ),
    )
    .addCommand(
      withAdministration(new Command("list").description("Lists the checkers.")).action(
        async (flags: AdministrationFlags) =>
          (await import("../actions/people.ts")).listCheckers(flags, context),
      ),
    )
    .addCommand(
      withAdministration(new Command("revoke").description("Ends a checker's token."))
        .argument("<checker>", "the checker's id, c_…")
        .action(async (id: string, flags: AdministrationFlags) =>
          (await import("../actions/people.ts")).revokeChecker({ id, flags, context }),
        ),
    );
