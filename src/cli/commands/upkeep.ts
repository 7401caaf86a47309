import { Command, InvalidArgumentError, Option } from "commander";
import type { CliContext } from "../context.ts";
import type { BackupFlags, CheckFlags, GcFlags, NewAdminTokenFlags, RestoreFlags } from "../flags/gateway.ts";
import { options, path } from "../options.ts";
import { withAdministration } from "./administration.ts";

export const backupCommand = (context: CliContext): Command =>
  new Command("backup")
    .description("Copies a gateway's data into a new folder, also while it serves them.")
    .addOption(options.data().makeOptionMandatory())
    .addOption(new Option("--out <dir>", "the folder to make").argParser(path).makeOptionMandatory())
    .option(
      "--with-admin-token",
      "copy the administrator's token too; else a restored gateway makes a new one",
    )
    .addOption(options.store())
    .addOption(options.blobs())
    .addOption(options.json())
    .addHelpText(
      "after",
      `
Example:
  $ render-handoff gateway backup --data gateway-data --out backups/2030-01-31

The folder holds a snapshot of the database, every blob that it lists and manifest.json with the SHA-256 of
each file. PostgreSQL and S3 have backups of their own: pg_dump first, then the bucket.`,
    )
    .action(async (flags: BackupFlags) =>
      (await import("../actions/gateway-backup.ts")).gatewayBackup(flags, context),
    );

export const restoreCommand = (context: CliContext): Command =>
  new Command("restore")
    .description("Puts a backup into a new data folder, or ends what pg_restore began.")
    .addOption(new Option("--from <dir>", "the backup").argParser(path))
    .addOption(options.data())
    .addOption(options.store())
    .addOption(options.json())
    .addHelpText(
      "after",
      `
Examples:
  $ render-handoff gateway restore --from backups/2030-01-31 --data gateway-data
  $ render-handoff gateway restore --store postgres://handoff@db.example/handoff

Every file is compared with the manifest first. With --store: after pg_restore, before any gateway starts. Open
tasks are free again, and no fence is given out that was; revoke again what was revoked since the backup.`,
    )
    .action(async (flags: RestoreFlags) =>
      (await import("../actions/gateway-restore.ts")).gatewayRestore(flags, context),
    );

export const newAdminTokenCommand = (context: CliContext): Command =>
  new Command("new-admin-token")
    .description("Replaces the administrator's token by a new one, in the data folder's admin-token.")
    .addOption(options.data().makeOptionMandatory())
    .addOption(options.store())
    .addOption(options.json())
    .addHelpText(
      "after",
      `
Examples:
  $ render-handoff gateway new-admin-token --data gateway-data
  $ render-handoff gateway new-admin-token --data gateway-data --store postgres://handoff@db.example/handoff

Then start the gateway anew, or all that share the store: until then each takes the token that it started with.
Of gateways that share a store, those with an admin-token of their own need the new file in its place.`,
    )
    .action(async (flags: NewAdminTokenFlags) =>
      (await import("../actions/gateway-new-admin-token.ts")).gatewayNewAdminToken(flags, context),
    );

export const checkCommand = (context: CliContext): Command =>
  new Command("check")
    .description("Computes every receipt, digest and reference of a gateway's data again; changes nothing.")
    .addOption(options.data())
    .addOption(options.store())
    .addOption(options.blobs())
    .option("--quick", "do not read blobs: only look for them in their size")
    .addOption(options.json())
    .addHelpText(
      "after",
      `
Examples:
  $ render-handoff gateway check --data gateway-data
  $ render-handoff gateway check --store postgres://handoff@db.example/handoff --blobs s3://renders/handoff

Exit codes: 0 everything is as it was stored; 1 something is not, each with its code.`,
    )
    .action(async (flags: CheckFlags) =>
      (await import("../actions/gateway-check.ts")).gatewayCheck(flags, context),
    );

export const gcCommand = (context: CliContext): Command =>
  withAdministration(
    new Command("gc").description("Removes blobs that no job, no result and no lease refers to."),
  )
    .addOption(
      new Option("--older-than <time>", "last put at least so long ago: 90s, 30m, 12h or 7d")
        .argParser(duration)
        .default(7 * 86_400, "7d"),
    )
    .option("--dry-run", "remove nothing, tell what would be removed")
    .addHelpText(
      "after",
      `
Examples:
  $ render-handoff gateway gc --data gateway-data --dry-run
  $ render-handoff gateway gc --gateway https://render.example --admin-token-file admin-token --older-than 30d

Safe while the gateway serves: it does the work itself. With PostgreSQL or S3 use --gateway.`,
    )
    .action(async (flags: GcFlags) => (await import("../actions/gateway-gc.ts")).gatewayGc(flags, context));

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const LONGEST = 3_660 * 86_400;

function duration(value: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,9})([smhd])$/.exec(value) ?? [];
  const seconds = Number(digits) * (UNITS[unit] ?? Number.NaN);
  if (digits === "" || !(seconds <= LONGEST))
    throw new InvalidArgumentError("Not a time like 90s, 30m, 12h or 7d, of at most ten years.");
  return seconds;
}
