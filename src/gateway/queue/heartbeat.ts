import type { HeartbeatAnswer, Progress } from "../../../contracts/wire/queue.ts";
import { timestamp } from "../../core/clock.ts";
import { canonicalText } from "../../core/json/canonical.ts";
import { knownTask, staleLease } from "./lease.ts";
import type { Queue } from "./queue.ts";
import type { HeldLease } from "./rows.ts";

/** Rule 3: extends a lease to now + lease_seconds, never past claimed_at + slot_seconds. */
export async function heartbeat(
  queue: Queue,
  lease: HeldLease,
  progress: Progress | null,
): Promise<HeartbeatAnswer> {
  return queue.store.write(async (rows) => {
    await knownTask(rows, lease.taskId);
    const now = await rows.now();
    const stored = progress === null ? null : canonicalText(progress);
    const expiresAt = await rows.extendLease(lease, now, stored);
    if (expiresAt === null) throw staleLease(lease);
    return { lease_expires_at: timestamp(expiresAt), lease_seconds: expiresAt - now };
  });
}
