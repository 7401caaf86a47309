import { ObjectEnvelope } from "../../contracts/documents/object.ts";
import { TaskRecord } from "../../contracts/documents/records.ts";
import { TaskList } from "../../contracts/wire/people.ts";
import { sha256 } from "../core/digest.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { readDocument } from "../core/json/read-document.ts";
import { equal } from "./answer.ts";
import type { PlainAnswer } from "./exchange-once.ts";
import { leaseKey, type Told, versionKey } from "./told.ts";

/** A task's record: of this task, with the payload that was enqueued and the lease that was told last. */
export function taskFault(answer: PlainAnswer, told: Told, taskId: string): string | null {
  const read = readDocument(TaskRecord, answer.body);
  if (!read.ok) return null;
  return equal("task_id", read.value.task_id, taskId) ?? recordFault(read.value, told);
}

/** The same of each task of a list that this case has enqueued. */
export function tasksFault(answer: PlainAnswer, told: Told): string | null {
  const read = readDocument(TaskList, answer.body);
  if (!read.ok) return null;
  for (const record of read.value.tasks) {
    const fault = recordFault(record, told);
    if (fault !== null) return `${record.task_id}: ${fault}`;
  }
  return null;
}

function recordFault(record: TaskRecord, told: Told): string | null {
  const task = told.tasks.get(record.task_id);
  if (task === undefined) return null;
  if (!canonicalBytes(record.payload).equals(canonicalBytes(task.payload)))
    return "payload is not what was enqueued";
  const lease =
    record.state === "leased" ? told.leases.get(leaseKey(record.task_id, record.fencing_token)) : undefined;
  return (
    equal("lease_seconds", record.lease_seconds, task.leaseSeconds) ??
    equal("worker_id", record.worker_id, lease?.workerId) ??
    equal("lease_expires_at", record.lease_expires_at, lease?.expiresAt)
  );
}

/** A slot's object: the result that was accepted as this version, and its receipt. */
export function objectFault(answer: PlainAnswer, told: Told, key: string): string | null {
  const read = readDocument(ObjectEnvelope, answer.body);
  if (!read.ok) return null;
  const object = read.value;
  const result = told.results.get(versionKey(object.object_key, object.version_num));
  return (
    equal("object_key", object.object_key, key) ??
    equal("source_task_id", object.source_task_id, key) ??
    equal("sha256_hash", object.sha256_hash, result?.sha256) ??
    equal("SHA-256 of the canonical payload", sha256(canonicalBytes(object.payload)), result?.sha256) ??
    equal("receipt_sha256", object.receipt_sha256, result && sha256(result.receipt)) ??
    equal("worker_uuid", object.worker_uuid, result?.workerId) ??
    equal("fencing_token", object.fencing_token, result?.fence)
  );
}
