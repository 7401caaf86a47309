import { HandoffError } from "../../core/error.ts";
import { moveOnDatabase } from "../../gateway/upkeep/move-on.ts";
import { restoreGateway } from "../../gateway/upkeep/restore.ts";
import type { CliContext } from "../context.ts";
import type { RestoreFlags } from "../flags/gateway.ts";

/** Restores a backup into a new data folder, or ends the restoring of a database that pg_restore has filled. */
export async function gatewayRestore(flags: RestoreFlags, context: CliContext): Promise<void> {
  const { from, data, store } = flags;
  if (from !== undefined && data !== undefined && store === undefined)
    return restoreFolder({ from, data }, flags, context);
  if (from !== undefined || store === undefined)
    throw new HandoffError("USAGE_ARGUMENT", "Give --from and --data, or --store.");
  const { gatewayId, fenceFloor } = await moveOnDatabase(store, context.clock);
  context.out(
    flags.json
      ? `${JSON.stringify({ gateway_id: gatewayId, fence_floor: fenceFloor })}\n`
      : `gateway ${gatewayId}: open tasks are free, fences go on above ${fenceFloor}\n`,
  );
}

async function restoreFolder(
  { from, data }: { from: string; data: string },
  { json }: RestoreFlags,
  context: CliContext,
): Promise<void> {
  const restored = await restoreGateway({ from, dataFolder: data, clock: context.clock });
  const { gateway_id, created_at, blobs, admin_token } = restored.manifest;
  const told = {
    gateway_id,
    created_at,
    blobs: blobs.length,
    fence_floor: restored.fenceFloor,
    admin_token: admin_token !== null,
  };
  context.out(
    json
      ? `${JSON.stringify(told)}\n`
      : `${data}: gateway ${gateway_id} as of ${created_at}, ${blobs.length} blobs; fences go on above ${restored.fenceFloor}\n`,
  );
}
