import { Command, Option } from "commander";
import type { CliContext } from "../context.ts";
import type { AdministrationFlags } from "../flags/administration.ts";
import type { WorkerAddFlags } from "../flags/worker.ts";
import { path } from "../options.ts";
import { withAdministration } from "./administration.ts";

export const workerCommand = (context: CliContext): Command =>
  new Command("worker")
    .description("Registers, lists and revokes workers.")
    .addCommand(
      withAdministration(
        new Command("add").description("Registers a worker; its token is shown once and never again."),
      )
        .argument("<name>", "a name for people")
        .option("--operator <name>", "the person who answers for this worker")
        .addOption(
          new Option(
            "--token-file <file>",
            "write the token there (mode 0600) instead of showing it",
          ).argParser(path),
        )
        .addHelpText(
          "after",
          "\nExample:\n  $ render-handoff worker add studio-1 --data gateway-data --token-file worker-a.token",
        )
        .action(async (name: string, flags: WorkerAddFlags) =>
          (await import("../actions/people.ts")).addWorker({ name, flags, context }),
        ),
    )
    .addCommand(
      withAdministration(new Command("list").description("Lists the workers.")).action(
        async (flags: AdministrationFlags) =>
          (await import("../actions/people.ts")).listWorkers(flags, context),
      ),
    )
    .addCommand(
      withAdministration(
        new Command("revoke").description("Ends a worker's token and leases; what was accepted stays."),
      )
        .argument("<worker>", "the worker's id, w_…")
        .action(async (id: string, flags: AdministrationFlags) =>
          (await import("../actions/people.ts")).revokeWorker({ id, flags, context }),
        ),
    );
