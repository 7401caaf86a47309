import { knownTask, staleLease } from "./lease.ts";
import type { Queue } from "./queue.ts";
import type { HeldLease } from "./rows.ts";

/** Keeps what the holder of a task shows of its last finished frame, under the lease (rule 3). */
export async function putPreview(
  queue: Queue,
  lease: HeldLease,
  preview: { frame: number; png: Buffer },
): Promise<void> {
  await queue.store.write(async (rows) => {
    await knownTask(rows, lease.taskId);
    if ((await rows.putPreview(lease, await rows.now(), preview)) !== 1) throw staleLease(lease);
  });
}
