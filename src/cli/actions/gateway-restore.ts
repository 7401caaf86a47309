import { FENCE_JUMP, restoreGateway } from "../../gateway/upkeep/restore.ts";
import type { CliContext } from "../context.ts";
import type { RestoreFlags } from "../flags/gateway.ts";

/** Restores a backup into a new data folder. */
export async function gatewayRestore(flags: RestoreFlags, context: CliContext): Promise<void> {
  const manifest = await restoreGateway({ from: flags.from, dataFolder: flags.data, clock: context.clock });
  const { gateway_id, created_at, blobs, admin_token } = manifest;
  const told = {
    gateway_id,
    created_at,
    blobs: blobs.length,
    fence_jump: FENCE_JUMP,
    admin_token: admin_token !== null,
  };
  context.out(
    flags.json
      ? `${JSON.stringify(told)}\n`
      : `${flags.data}: gateway ${gateway_id} as of ${created_at}, ${blobs.length} blobs; fences of open tasks moved on by ${FENCE_JUMP}\n`,
  );
}
