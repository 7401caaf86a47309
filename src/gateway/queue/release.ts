import type { ReleaseAnswer } from "../../../contracts/wire/queue.ts";
import { knownTask, staleLease } from "./lease.ts";
import type { Queue } from "./queue.ts";
import type { HeldLease } from "./rows.ts";

/** Rule 3: gives a task back with a reason; the fence stays as it is. */
export async function release(queue: Queue, lease: HeldLease, reason: string): Promise<ReleaseAnswer> {
  return queue.store.write(async (rows) => {
    await knownTask(rows, lease.taskId);
    const changed = await rows.releaseLease(lease, await rows.now(), reason);
    if (changed !== 1) throw staleLease(lease);
    return { task_id: lease.taskId, state: "ready" };
  });
}
