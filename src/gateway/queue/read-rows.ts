import { SlotName } from "../../../contracts/names.ts";
import { EVENT_DETAILS, type EventKind } from "../../../contracts/wire/events.ts";
import { blob, integer, integerOrNull, type Row, text, textOrNull } from "./columns.ts";
import type {
  CheckerRow,
  EdgeRow,
  EventPlace,
  EventRow,
  HandoffPlace,
  JobRow,
  ObjectRow,
  PreviewRow,
  ReceiptRow,
  StampRow,
  TaskRow,
  TaskState,
  VerdictRow,
  WorkerRow,
} from "./rows.ts";

/** Columns of a task but its result, which can be large and is kept for the record only. */
export const TASK = `task_id, payload, job_id, slot, lease_seconds, slot_seconds, max_claims, distinct_by,
 bundle_bytes, state, version, fence, claims, worker_id, claimed_at, expires_at, progress`;

const COLUMNS = TASK.split(/,\s+/);

/** The row whose values came without names, in the order of TASK. */
export function taskInOrder(values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  COLUMNS.forEach((name, at) => {
    row[name] = values[at];
  });
  return row;
}

/** Columns have the same names in every store. */
export const readTask = (row: Row): TaskRow => {
  const slot = textOrNull(row, "slot");
  const distinct = textOrNull(row, "distinct_by");
  return {
    taskId: text(row, "task_id"),
    payload: text(row, "payload"),
    jobId: textOrNull(row, "job_id"),
    slot: slot === null ? null : SlotName.parse(slot),
    leaseSeconds: integer(row, "lease_seconds"),
    slotSeconds: integerOrNull(row, "slot_seconds"),
    maxClaims: integerOrNull(row, "max_claims"),
    distinct: distinct === "worker" || distinct === "operator" ? distinct : null,
    bundleBytes: integerOrNull(row, "bundle_bytes"),
    state: taskState(text(row, "state")),
    version: integer(row, "version"),
    fence: integer(row, "fence"),
    claims: integer(row, "claims"),
    workerId: textOrNull(row, "worker_id"),
    claimedAt: integerOrNull(row, "claimed_at"),
    expiresAt: integerOrNull(row, "expires_at"),
    progress: textOrNull(row, "progress"),
  };
};

const taskState = (value: string): TaskState => {
  if (value === "ready" || value === "leased" || value === "done") return value;
  throw new TypeError("column state has an unexpected value");
};

export const readJob = (row: Row): JobRow => ({
  jobId: text(row, "job_id"),
  sha256: text(row, "sha256"),
  bytes: blob(row, "bytes"),
});

export const readReceipt = (row: Row): ReceiptRow => ({
  taskId: text(row, "task_id"),
  version: integer(row, "version"),
  idempotencyKey: text(row, "idempotency_key"),
  workerId: text(row, "worker_id"),
  request: blob(row, "request"),
  receipt: blob(row, "receipt"),
  acceptedAt: integer(row, "accepted_at"),
});

export const readObject = (row: Row): ObjectRow => ({
  key: text(row, "object_key"),
  version: integer(row, "version"),
  category: text(row, "category"),
  producer: text(row, "producer"),
  workerId: text(row, "worker_id"),
  taskId: text(row, "task_id"),
  payload: text(row, "payload"),
  sha256: text(row, "sha256"),
  fence: integer(row, "fence"),
  receiptSha256: text(row, "receipt_sha256"),
  createdAt: integer(row, "created_at"),
});

export const readWorker = (row: Row): WorkerRow => ({
  workerUuid: text(row, "worker_uuid"),
  name: text(row, "name"),
  operator: textOrNull(row, "operator"),
  publicKey: textOrNull(row, "public_key"),
  tokenSha256: text(row, "token_sha256"),
  createdAt: integer(row, "created_at"),
  revokedAt: integerOrNull(row, "revoked_at"),
});

export const readChecker = (row: Row): CheckerRow => ({
  checkerUuid: text(row, "checker_uuid"),
  name: text(row, "name"),
  tokenSha256: text(row, "token_sha256"),
  createdAt: integer(row, "created_at"),
  revokedAt: integerOrNull(row, "revoked_at"),
});

export const readPlace = (row: Row): EventPlace => ({ tx: integer(row, "tx"), id: integer(row, "id") });

export const readEvent = (row: Row): EventRow => ({
  ...readPlace(row),
  at: integer(row, "at"),
  kind: eventKind(text(row, "kind")),
  taskId: textOrNull(row, "task_id"),
  jobId: textOrNull(row, "job_id"),
  workerUuid: textOrNull(row, "worker_uuid"),
  detail: text(row, "detail"),
});

const isEventKind = (value: string): value is EventKind => Object.hasOwn(EVENT_DETAILS, value);
const eventKind = (value: string): EventKind => {
  if (isEventKind(value)) return value;
  throw new TypeError("column kind has an unexpected value");
};

const verdictValue = (value: string): VerdictRow["verdict"] => {
  if (value === "accepted" || value === "rejected") return value;
  throw new TypeError("column verdict has an unexpected value");
};

export const readVerdict = (row: Row): VerdictRow => ({
  key: text(row, "object_key"),
  version: integer(row, "version"),
  verdict: verdictValue(text(row, "verdict")),
  checkerUuid: text(row, "checker_uuid"),
  producer: text(row, "producer"),
  payload: text(row, "payload"),
  sha256: text(row, "sha256"),
  createdAt: integer(row, "created_at"),
});

export const readStamp = (row: Row): StampRow => {
  const verdict = textOrNull(row, "verdict");
  return {
    key: text(row, "object_key"),
    version: integer(row, "version"),
    producer: text(row, "producer"),
    producerId: text(row, "producer_id"),
    sha256: text(row, "sha256"),
    createdAt: integer(row, "created_at"),
    verdict: verdict === null ? null : verdictValue(verdict),
  };
};

export const readEdge = (row: Row): EdgeRow => {
  const relation = text(row, "relation_kind");
  if (relation !== "verifies") throw new TypeError("column relation_kind has an unexpected value");
  return {
    sourceKey: text(row, "source_key"),
    sourceVersion: integer(row, "source_version"),
    targetKey: text(row, "target_key"),
    relation,
    targetVersion: integer(row, "target_version"),
    targetSha256: text(row, "target_sha256"),
  };
};

export const readPreview = (row: Row): PreviewRow => ({
  fence: integer(row, "fence"),
  frame: integer(row, "frame"),
  at: integer(row, "at"),
});

export const readHandoffPlace = (row: Row): HandoffPlace => ({
  place: integer(row, "place"),
  jobId: text(row, "job_id"),
});
