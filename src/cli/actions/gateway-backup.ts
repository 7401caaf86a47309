import { HandoffError } from "../../core/error.ts";
import { backupGateway } from "../../gateway/upkeep/backup.ts";
import type { CliContext } from "../context.ts";
import type { BackupFlags } from "../flags/gateway.ts";

/** Makes a backup of a data folder; what other programs keep is theirs to back up. */
export async function gatewayBackup(flags: BackupFlags, context: CliContext): Promise<void> {
  if (flags.store !== undefined) throw new HandoffError("USAGE_BACKUP_ELSEWHERE", "It is the database.");
  if (flags.blobs !== undefined) throw new HandoffError("USAGE_BACKUP_ELSEWHERE", "It is the blobs.");
  const manifest = await backupGateway({
    dataFolder: flags.data,
    out: flags.out,
    adminToken: flags.withAdminToken === true,
    clock: context.clock,
  });
  const bytes = manifest.blobs.reduce((sum, blob) => sum + blob.bytes, manifest.database.bytes);
  context.out(
    flags.json
      ? `${JSON.stringify(manifest)}\n`
      : `${flags.out}: gateway ${manifest.gateway_id}, ${manifest.blobs.length} blobs, ${bytes} bytes\n`,
  );
}
