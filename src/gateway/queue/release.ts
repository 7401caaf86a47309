import type { ReleaseAnswer } from "../../../contracts/wire/queue.ts";
import { event } from "./event.ts";
import { knownTask, staleLease } from "./lease.ts";
import type { Queue } from "./queue.ts";
import type { HeldLease } from "./rows.ts";

/** Rule 3: gives a task back with a reason; the fence stays as it is. */
export async function release(queue: Queue, lease: HeldLease, reason: string): Promise<ReleaseAnswer> {
  return queue.store.write(async (rows) => {
    const { taskId, jobId } = await knownTask(rows, lease.taskId);
    const at = await rows.now();
    if ((await rows.releaseLease(lease, at, reason)) !== 1) throw staleLease(lease);
    const detail = { fencing_token: lease.fence, reason };
    await rows.insertEvent(
      event({ at, kind: "released", taskId, jobId, workerUuid: lease.workerId, detail }),
    );
    return { task_id: lease.taskId, state: "ready" };
  });
}
