import type { CollectAnswer } from "../../../contracts/wire/upkeep.ts";
import { administer } from "../administer.ts";
import type { CliContext } from "../context.ts";
import type { GcFlags } from "../flags/gateway.ts";

/** Has the gateway remove what nothing refers to, part by part, until it says that nothing is left. */
export async function gatewayGc(flags: GcFlags, context: CliContext): Promise<void> {
  const total = { blobs: 0, blob_bytes: 0, strays: 0, stray_bytes: 0 };
  const dryRun = flags.dryRun === true;
  await administer(flags, context, async (client) => {
    let cursor: string | null = null;
    do {
      const request = { older_than_seconds: flags.olderThan, dry_run: dryRun, cursor };
      const answer: CollectAnswer = (await client.collectGarbage(request)).value;
      total.blobs += answer.blobs;
      total.blob_bytes += answer.blob_bytes;
      total.strays += answer.strays;
      total.stray_bytes += answer.stray_bytes;
      cursor = answer.cursor;
    } while (cursor !== null);
  });
  const verb = dryRun ? "would remove" : "removed";
  context.out(
    flags.json
      ? `${JSON.stringify({ ...total, dry_run: dryRun })}\n`
      : `${verb} ${total.blobs} unused blobs (${total.blob_bytes} bytes), ${total.strays} leftovers (${total.stray_bytes} bytes)\n`,
  );
}
