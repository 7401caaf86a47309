import type { Slot } from "../../../contracts/flow.ts";
import type { EventKind } from "../../../contracts/wire/events.ts";

export type TaskState = "ready" | "leased" | "done";

/** A task as it is stored. Times are whole UTC seconds; `payload` and `progress` are JCS texts. */
export interface TaskRow {
  readonly taskId: string;
  readonly payload: string;
  /** Null for a task that belongs to no job: it has no caps and no sibling. */
  readonly jobId: string | null;
  readonly slot: Slot | null;
  readonly leaseSeconds: number;
  readonly slotSeconds: number | null;
  readonly maxClaims: number | null;
  /** What must differ from the sibling at claim; null where nothing must. */
  readonly distinct: "worker" | "operator" | null;
  readonly bundleBytes: number | null;
  readonly state: TaskState;
  readonly version: number;
  readonly fence: number;
  /** Claims of this version. */
  readonly claims: number;
  /** Holder, or winner once done. */
  readonly workerId: string | null;
  readonly claimedAt: number | null;
  readonly expiresAt: number | null;
  readonly progress: string | null;
}

/** What a new task is made of; the rest starts as ready, version 1, fence 0. */
export type NewTask = Pick<
  TaskRow,
  | "taskId"
  | "payload"
  | "jobId"
  | "slot"
  | "leaseSeconds"
  | "slotSeconds"
  | "maxClaims"
  | "distinct"
  | "bundleBytes"
>;

export interface JobRow {
  readonly jobId: string;
  readonly sha256: string;
  readonly bytes: Buffer;
}

/** One accepted submit; unique per (task, version) and per (task, key). */
export interface ReceiptRow {
  readonly taskId: string;
  readonly version: number;
  readonly idempotencyKey: string;
  readonly workerId: string;
  /** The raw body and the receipt, byte for byte. */
  readonly request: Buffer;
  readonly receipt: Buffer;
  readonly acceptedAt: number;
}

export interface ObjectRow {
  readonly key: string;
  readonly version: number;
  readonly category: string;
  readonly producer: string;
  readonly workerId: string;
  readonly taskId: string;
  readonly payload: string;
  readonly sha256: string;
  readonly fence: number;
  readonly receiptSha256: string;
  readonly createdAt: number;
}

/** A posted verdict: a version of the object `<job_id>.join`. `payload` is a JCS text. */
export interface VerdictRow {
  readonly key: string;
  readonly version: number;
  readonly verdict: "accepted" | "rejected";
  readonly checkerUuid: string;
  readonly producer: string;
  readonly payload: string;
  readonly sha256: string;
  readonly createdAt: number;
}

/** A version of an object without its payload; `verdict` is null for what is none. */
export interface StampRow {
  readonly key: string;
  readonly version: number;
  readonly producer: string;
  readonly producerId: string;
  readonly sha256: string;
  readonly createdAt: number;
  readonly verdict: VerdictRow["verdict"] | null;
}

/** One object version was built on another. */
export interface EdgeRow {
  readonly sourceKey: string;
  readonly sourceVersion: number;
  readonly targetKey: string;
  readonly relation: "verifies";
  readonly targetVersion: number;
  readonly targetSha256: string;
}

/** Which handoffs a page shows, newest first. */
export interface HandoffFilter {
  /** Not every slot is done, or both are; null for all. */
  readonly open: boolean | null;
  /** Part of the job's id, or of the name or id of a worker of its; null for all. */
  readonly text: string | null;
  /** Handoffs from before this place only. */
  readonly before: number | null;
  readonly limit: number;
}
export interface HandoffPlace {
  readonly place: number;
  readonly jobId: string;
}

/** The last finished frame of a task, small, as its holder says; nothing is verified but that it is a picture. */
export interface PreviewRow {
  readonly fence: number;
  readonly frame: number;
  readonly at: number;
}

export interface WorkerRow {
  readonly workerUuid: string;
  readonly name: string;
  readonly operator: string | null;
  readonly publicKey: string | null;
  readonly tokenSha256: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

/** One thing that happened. `detail` is a JCS text, closed by `kind`. */
export interface NewEvent {
  readonly at: number;
  readonly kind: EventKind;
  readonly taskId: string | null;
  readonly jobId: string | null;
  readonly workerUuid: string | null;
  readonly detail: string;
}

/**
 * Place in the order in which events become readable. `tx` is 0 where writers take turns; elsewhere it is the
 * writing transaction, because ids are given out before transactions commit.
 */
export interface EventPlace {
  readonly tx: number;
  readonly id: number;
}
export type EventRow = NewEvent & EventPlace;

export interface CheckerRow {
  readonly checkerUuid: string;
  readonly name: string;
  readonly tokenSha256: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

/** A lease as a worker states it: checked against owner, fence and expiry in the writing statement (rule 3). */
export interface HeldLease {
  readonly taskId: string;
  readonly workerId: string;
  readonly fence: number;
}

export interface TaskFilter {
  /** `open` is every task that is not done. */
  readonly state: TaskState | "open" | null;
  readonly slot: Slot | null;
  readonly jobId: string | null;
  readonly newestFirst: boolean;
  /** Tasks after this one only, in the order that was asked for. */
  readonly after: string | null;
  readonly limit: number;
}
