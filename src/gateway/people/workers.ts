import type { WorkerRecord } from "../../../contracts/documents/records.ts";
import type { RegisterWorkerRequest, WorkerList } from "../../../contracts/wire/people.ts";
import { type Clock, timestamp } from "../../core/clock.ts";
import { sha256 } from "../../core/digest.ts";
import { HandoffError } from "../../core/error.ts";
import { event } from "../queue/event.ts";
import { pageOf } from "../queue/page-of.ts";
import type { WorkerRow } from "../queue/rows.ts";
import type { QueueStore } from "../queue/store.ts";
import { newToken } from "./token.ts";

/** Issues a worker's identity; the token is in this answer and nowhere else. */
export async function registerWorker(
  store: QueueStore,
  clock: Pick<Clock, "uuid">,
  request: RegisterWorkerRequest,
): Promise<{ worker_uuid: string; token: string }> {
  const workerUuid = `w_${clock.uuid()}`;
  const token = newToken({ role: "worker", workerUuid });
  await store.write(async (rows) => {
    const at = await rows.now();
    await rows.insertWorker({
      workerUuid,
      name: request.name,
      operator: request.operator,
      publicKey: request.public_key,
      tokenSha256: sha256(token),
      createdAt: at,
      revokedAt: null,
    });
    const detail = { name: request.name };
    await rows.insertEvent(event({ at, kind: "worker_registered", workerUuid, detail }));
  });
  return { worker_uuid: workerUuid, token };
}

/** A page of workers, oldest first; the cursor is the last worker of the page, null on the last page. */
export async function listWorkers(
  store: QueueStore,
  { after, limit }: { after: string | null; limit: number },
): Promise<WorkerList> {
  return store.read(async (rows) => {
    if (after !== null && (await rows.worker(after)) === null)
      throw new HandoffError("invalid_request_shape", "The cursor is no worker of this gateway.");
    const found = await rows.workersAfter(after, limit + 1);
    const { page, cursor } = pageOf(found, limit, ({ workerUuid }) => workerUuid);
    return { workers: page.map(workerRecord), cursor };
  });
}

export async function readWorker(store: QueueStore, workerUuid: string): Promise<WorkerRecord> {
  const worker = await store.read((rows) => rows.worker(workerUuid));
  if (worker === null) throw new HandoffError("worker_unknown");
  return workerRecord(worker);
}

/** Rule 10: its calls fail at once and its leases end; accepted results stay. The first revocation stays. */
export async function revokeWorker(store: QueueStore, workerUuid: string): Promise<WorkerRecord> {
  return store.write(async (rows) => {
    await rows.lockWorker(workerUuid);
    const at = await rows.now();
    await rows.revokeWorker(workerUuid, at);
    await rows.endLeases(workerUuid);
    const worker = await rows.worker(workerUuid);
    if (worker === null) throw new HandoffError("worker_unknown");
    await rows.insertEvent(event({ at, kind: "worker_revoked", workerUuid, detail: {} }));
    return workerRecord(worker);
  });
}

const workerRecord = (row: WorkerRow): WorkerRecord => ({
  schema: "render_handoff.worker_record.v1",
  worker_uuid: row.workerUuid,
  name: row.name,
  operator: row.operator,
  public_key: row.publicKey,
  created_at: timestamp(row.createdAt),
  revoked_at: row.revokedAt === null ? null : timestamp(row.revokedAt),
});
