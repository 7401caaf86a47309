import type { HandoffError } from "../../core/error.ts";
import type {
  CheckerRow,
  EdgeRow,
  EventPlace,
  EventRow,
  HandoffFilter,
  HandoffPlace,
  HeldLease,
  JobRow,
  NewEvent,
  NewTask,
  ObjectRow,
  PreviewRow,
  ReceiptRow,
  StampRow,
  TaskFilter,
  TaskRow,
  VerdictRow,
  WorkerRow,
} from "./rows.ts";
import type { RestoreWrites, UpkeepReads, UpkeepWrites } from "./upkeep-rows.ts";

/** What a store knows of itself. The administrator's token is kept where several gateways share a store. */
export type MetaName = "gateway_id" | "admin_token_sha256";

/** Reads inside one transaction. */
export interface ReadRows extends UpkeepReads {
  /**
   * The gateway's clock in whole UTC seconds, never below the last one committed (rule 2). Sampled at the
   * first call of a transaction, so verbs call it after the row that they lock.
   */
  now(): Promise<number>;
  /** The empty string where it was never put. */
  meta(name: MetaName): Promise<string>;
  task(taskId: string): Promise<TaskRow | null>;
  /** The other slot of the same job. */
  sibling(task: TaskRow): Promise<TaskRow | null>;
  /** A lease counts as ready once it has ended. */
  tasks(filter: TaskFilter, now: number): Promise<TaskRow[]>;
  job(jobId: string): Promise<JobRow | null>;
  claimFence(taskId: string, workerId: string, key: string): Promise<number | null>;
  receipt(taskId: string, version: number): Promise<ReceiptRow | null>;
  receiptByKey(taskId: string, key: string): Promise<ReceiptRow | null>;
  /** Whether the worker has a receipt of any version of the task. */
  hasReceipt(taskId: string, workerId: string): Promise<boolean>;
  /** Workers with a receipt of a version of the task below the current one (rule 9). */
  passedOver(task: TaskRow): Promise<string[]>;
  /** Latest first. */
  objectVersions(key: string): Promise<ObjectRow[]>;
  /** The latest version, or the latest of those with this version or digest. */
  verdict(key: string, version: number | null, sha256: string | null): Promise<VerdictRow | null>;
  /** The version that this checker has posted with this digest. */
  verdictOf(key: string, checkerUuid: string, sha256: string): Promise<VerdictRow | null>;
  /** Digest of a version of a slot's object. */
  objectDigest(key: string, version: number): Promise<string | null>;
  /** Versions of an object of any kind, latest first. */
  stamps(key: string, limit: number): Promise<StampRow[]>;
  /** Edges from and to an object, or one version of it; the newest sources first. */
  edges(key: string, version: number | null, limit: number): Promise<EdgeRow[]>;
  /** Size of a blob; null too for one that is being removed. Stays so until this transaction has ended. */
  blobBytes(sha256: string): Promise<number | null>;
  /** Whether the blob is a scene file of a job of which the worker holds a task now. */
  sceneOfHolder(sha256: string, workerId: string, now: number): Promise<boolean>;
  /** What other blobs that are stored under this lease, or on their way, count for. */
  uploadedBytes(lease: HeldLease, exceptSha256: string): Promise<number>;
  workers(): Promise<WorkerRow[]>;
  /** Oldest first; those after this one only. */
  workersAfter(workerUuid: string | null, limit: number): Promise<WorkerRow[]>;
  worker(workerUuid: string): Promise<WorkerRow | null>;
  workerByToken(tokenSha256: string): Promise<WorkerRow | null>;
  checkers(): Promise<CheckerRow[]>;
  checker(checkerUuid: string): Promise<CheckerRow | null>;
  checkerByToken(tokenSha256: string): Promise<CheckerRow | null>;
  /** Those of these workers and checkers whose tokens are revoked. */
  revokedAmong(personUuids: readonly string[]): Promise<string[]>;
  /** In order; only those before which nothing can appear any more. */
  eventsAfter(place: EventPlace, limit: number): Promise<EventRow[]>;
  /** The first and the last event that can be read; null where there is none. */
  eventBounds(): Promise<{ first: EventPlace; last: EventPlace } | null>;
  handoffs(filter: HandoffFilter): Promise<HandoffPlace[]>;
  /** Newest first; of a job, those among the newest few thousand. */
  recentEvents(jobId: string | null, limit: number): Promise<EventRow[]>;
  previewOf(taskId: string): Promise<PreviewRow | null>;
  previewBytes(taskId: string): Promise<Buffer | null>;
  /** Tasks with a lease that has not ended, in the order of their holders. */
  leasedTasks(now: number, limit: number): Promise<TaskRow[]>;
}

export interface ClaimLook {
  readonly task: TaskRow | null;
  readonly now: number;
  readonly worker: WorkerRow | null;
  /** Of an earlier claim with this key. */
  readonly claimFence: number | null;
}
export interface SubmitLook {
  readonly task: TaskRow | null;
  readonly now: number;
  /** Of an earlier submit with this key. */
  readonly receipt: ReceiptRow | null;
}

/** Reads and writes inside one write transaction. Counts are of rows changed: 0 is "not yours now". */
export interface WriteRows extends ReadRows, UpkeepWrites, RestoreWrites {
  /** What a claim needs to know, all of it read after the task's lock. */
  forClaim(taskId: string, workerId: string, key: string | null): Promise<ClaimLook>;
  /** What a submit needs to know, all of it read after the task's lock. */
  forSubmit(taskId: string, key: string): Promise<SubmitLook>;
  /**
   * Hands over the last writes, which may still be on their way. Where one of them resolves to 0, or rejects,
   * nothing of the transaction is committed; for 0, `write` rejects with the refusal.
   */
  conclude(writes: readonly Promise<unknown>[], refusal: () => HandoffError): void;
  /** The first value of a name stays. */
  putMeta(name: MetaName, value: string): Promise<void>;
  replaceMeta(name: MetaName, value: string): Promise<void>;
  insertTask(task: NewTask): Promise<void>;
  insertJob(job: JobRow, scene: readonly string[], now: number): Promise<void>;
  /** Ready, or leased and ended: owner, fence + 1, claims + 1; the key of the claim is kept with its fence. */
  takeTask(
    taken: HeldLease & { now: number; expiresAt: number },
    claimKey: string | null,
    told: NewEvent,
  ): Promise<number>;
  /** To now + lease_seconds, never past claimed_at + slot_seconds; the new expiry, or null. */
  extendLease(lease: HeldLease, now: number, progress: string | null): Promise<number | null>;
  releaseLease(lease: HeldLease, now: number, reason: string): Promise<number>;
  finishTask(lease: HeldLease, now: number, result: string): Promise<number>;
  /** With the object that the receipt's result is published as, where it is. */
  insertReceipt(
    receipt: ReceiptRow & { fence: number },
    object: ObjectRow | null,
    told: NewEvent,
  ): Promise<void>;
  insertVerdict(verdict: VerdictRow): Promise<void>;
  insertEdge(edge: EdgeRow): Promise<void>;
  /** Done, or out of claims and under no lease: ready, version + 1, no claims; the fence stays. */
  reopenTask(taskId: string, now: number, reason: string): Promise<number>;
  /** Counts only while the lease is valid; of several sizes that were announced under a digest, the largest does. */
  insertUpload(lease: HeldLease, now: number, blob: { sha256: string; bytes: number }): Promise<number>;
  /** Takes an upload, or the room for one, back. */
  deleteUpload(lease: HeldLease, sha256: string): Promise<void>;
  /** True when it is new; one that is there gets a new date. GATEWAY_STORE_FAILED while it is being removed. */
  insertBlob(blob: { sha256: string; bytes: number }, now: number): Promise<boolean>;
  insertWorker(worker: WorkerRow): Promise<void>;
  insertChecker(checker: CheckerRow): Promise<void>;
  /** A worker and what it holds: before `now`. */
  lockWorker(workerUuid: string): Promise<void>;
  /** The first revocation stays. */
  revokeWorker(workerUuid: string, now: number): Promise<void>;
  revokeChecker(checkerUuid: string, now: number): Promise<void>;
  endLeases(workerUuid: string): Promise<void>;
  /** Counts only while the lease is valid; the one before is gone. */
  putPreview(lease: HeldLease, now: number, preview: { frame: number; png: Buffer }): Promise<number>;
  /** Previews from before `before`. */
  prunePreviews(before: number): Promise<number>;
  insertEvent(event: NewEvent): Promise<void>;
  /** Removes the oldest events until `keep` are left, and those from before `before`; at most a batch. */
  pruneEvents(bound: { keep: number; before: number }): Promise<number>;
}

/**
 * What every store gives. `write` holds the write lock before the first read, commits when the work
 * resolves and rolls back when it rejects. A failure of the store itself is GATEWAY_STORE_FAILED.
 */
export interface QueueStore extends QueueReader {
  write<T>(work: (rows: WriteRows) => Promise<T>): Promise<T>;
}

/** A store that is only read: each piece of work sees one moment of it. */
export interface QueueReader {
  read<T>(work: (rows: ReadRows) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
