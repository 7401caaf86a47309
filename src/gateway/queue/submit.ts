import type { Receipt } from "../../../contracts/documents/receipt.ts";
import { SlotResult } from "../../../contracts/documents/slot-result.ts";
import { SlotTask } from "../../../contracts/documents/slot-task.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import { SubmitRequest } from "../../../contracts/wire/queue.ts";
import { timestamp } from "../../core/clock.ts";
import { sha256 } from "../../core/digest.ts";
import { HandoffError } from "../../core/error.ts";
import { canonicalBytes, canonicalText } from "../../core/json/canonical.ts";
import { narrow } from "../../core/json/read-document.ts";
import { event } from "./event.ts";
import { holds, staleLease } from "./lease.ts";
import { parseBody } from "./parse-body.ts";
import { parseStored } from "./payload.ts";
import { type Queue, reach } from "./queue.ts";
import type { HeldLease, NewEvent, ObjectRow, ReceiptRow, TaskRow } from "./rows.ts";
import type { ReadRows, WriteRows } from "./store.ts";

export interface Submitted {
  readonly receipt: Buffer;
  readonly replayed: boolean;
  /** The receipt is of a version before the current one. */
  readonly superseded: boolean;
}

/** A body, parsed once: its exact bytes are digested and kept. */
export interface SubmitBody {
  readonly raw: Buffer;
  readonly request: SubmitRequest;
}

/** The raw body of a submit, parsed: body_too_large, invalid_json, duplicate_json_key, invalid_request_shape. */
export function readSubmit(raw: Buffer): SubmitBody {
  const read = narrow(SubmitRequest, parseBody(raw, LIMITS.submitBytes));
  if (!read.ok) throw new HandoffError("invalid_request_shape", `${read.path || "/"}: ${read.problem}.`);
  return { raw, request: read.value };
}

/** `handIn` of a body that nobody has read yet. */
export const submit = async (queue: Queue, raw: Buffer, idempotencyKey: string): Promise<Submitted> =>
  handIn(queue, readSubmit(raw), idempotencyKey);

/**
 * Rules 4 and 5: accepts a result under a valid lease and answers with the receipt's exact bytes. A known
 * key is looked up before anything else: byte-identical bodies get the stored receipt, others
 * idempotency_conflict. Refuses with task_unknown, not_ready, stale_or_invalid_lease, result_invalid,
 * blob_missing.
 */
export async function handIn(
  queue: Queue,
  { raw, request }: SubmitBody,
  idempotencyKey: string,
): Promise<Submitted> {
  const submitted = await queue.store.write(async (rows) => {
    const { task, now, receipt } = await rows.forSubmit(request.task_id, idempotencyKey);
    if (task === null) throw new HandoffError("task_unknown");
    if (receipt !== null) return replay(receipt, task, raw);
    return accept(queue, rows, { task, now, raw, idempotencyKey, request });
  });
  if (!submitted.replayed) queue.faultPoint?.("submit_after_commit");
  return submitted;
}

interface Attempt {
  readonly task: TaskRow;
  readonly now: number;
  readonly raw: Buffer;
  readonly idempotencyKey: string;
  readonly request: SubmitRequest;
}

function replay(old: ReceiptRow, task: TaskRow, raw: Buffer): Submitted {
  if (!old.request.equals(raw)) throw new HandoffError("idempotency_conflict");
  return { receipt: old.receipt, replayed: true, superseded: old.version !== task.version };
}

async function accept(
  queue: Queue,
  rows: WriteRows,
  { task, now, raw, idempotencyKey, request }: Attempt,
): Promise<Submitted> {
  const lease: HeldLease = {
    taskId: task.taskId,
    workerId: request.worker_id,
    fence: request.fencing_token,
  };
  if (task.state === "done") throw new HandoffError("not_ready");
  if (!holds(lease, task, now)) throw staleLease(lease);
  const producer = task.slot === null ? null : await producerOfSlot(rows, task, request);
  const result = canonicalText(request.result);
  const resultSha256 = sha256(result);
  const receipt = canonicalBytes({
    fencing_token: lease.fence,
    idempotency_key: idempotencyKey,
    lease_expires_at: timestamp(task.expiresAt ?? now),
    request_sha256: sha256(raw),
    result_sha256: resultSha256,
    state: "done",
    task_id: task.taskId,
    worker_id: lease.workerId,
  } satisfies Receipt);
  const finished = rows.finishTask(lease, now, result);
  await reach(queue, "submit_after_result", finished);
  const accepted = { task, lease, result, resultSha256, receipt, now };
  const recorded = rows.insertReceipt(
    {
      taskId: task.taskId,
      version: task.version,
      idempotencyKey,
      workerId: lease.workerId,
      fence: lease.fence,
      request: raw,
      receipt,
      acceptedAt: now,
    },
    producer === null ? null : publication(accepted, producer),
    tellSubmit(accepted),
  );
  rows.conclude([finished, recorded], () => staleLease(lease));
  await reach(queue, "submit_after_receipt", recorded);
  await reach(queue, "submit_before_commit", recorded);
  return { receipt, replayed: false, superseded: false };
}

/** Rule 4: the result's schema, that it is of this slot, and that its bundle is there; who is named as its producer. */
async function producerOfSlot(rows: ReadRows, task: TaskRow, request: SubmitRequest): Promise<string> {
  const read = narrow(SlotResult, request.result);
  if (!read.ok) throw new HandoffError("result_invalid", `/result${read.path}: ${read.problem}.`);
  const expected = SlotTask.parse(parseStored(task.payload));
  const { bundle, job_sha256, slot } = read.value;
  if (job_sha256 !== expected.job_sha256 || slot !== expected.slot)
    throw new HandoffError("result_invalid", "It is of another job or slot.");
  const [bytes, worker] = await Promise.all([rows.blobBytes(bundle.sha256), rows.worker(request.worker_id)]);
  if (bytes !== bundle.bytes) throw new HandoffError("blob_missing", `Bundle ${bundle.sha256}.`);
  return worker?.name ?? request.worker_id;
}

const tellSubmit = ({ task, lease, resultSha256, now }: Accepted): NewEvent =>
  event({
    at: now,
    kind: "submitted",
    taskId: task.taskId,
    jobId: task.jobId,
    workerUuid: lease.workerId,
    detail: { fencing_token: lease.fence, version: task.version, result_sha256: resultSha256 },
  });

interface Accepted {
  readonly task: TaskRow;
  readonly lease: HeldLease;
  readonly result: string;
  readonly resultSha256: string;
  readonly receipt: Buffer;
  readonly now: number;
}

/** An accepted submit of a slot is an object: key = task id, version = task version. */
function publication(accepted: Accepted, producer: string): ObjectRow {
  const { task, lease, result, resultSha256, receipt, now } = accepted;
  return {
    key: task.taskId,
    version: task.version,
    category: "render_slot_result",
    producer,
    workerId: lease.workerId,
    taskId: task.taskId,
    payload: result,
    sha256: resultSha256,
    fence: lease.fence,
    receiptSha256: sha256(receipt),
    createdAt: now,
  };
}
