import type { DepthState } from "../../../contracts/telemetry.ts";
import type { JobRow, ObjectRow, ReceiptRow, VerdictRow } from "./rows.ts";

export interface BlobRow {
  readonly sha256: string;
  readonly bytes: number;
}

/** Open tasks in one state; `since` is the earliest second since which one of them is in it. */
export interface OpenTasks {
  readonly state: DepthState;
  readonly tasks: number;
  readonly since: number | null;
}

/** Reads of metrics, of `check` and of the removal of blobs. Pages come in the order of what `after` names. */
export interface UpkeepReads {
  /** Counts at most `counted` of the oldest open tasks and looks for the age of `aged` of them. */
  openTasks(now: number, bounds: { counted: number; aged: number }): Promise<OpenTasks[]>;
  /** Blobs last put at or before a second that no job, no object and no lease in force refers to. */
  unusedBlobs(page: { before: number; after: string; limit: number }): Promise<BlobRow[]>;
  /** Removals that were begun at or before a second and not finished. */
  begunRemovals(before: number): Promise<BlobRow[]>;
  /** Whether the blob has a row, marked or not. */
  blobListed(sha256: string): Promise<boolean>;
  /** Whether the job is on record as one that needs the blob. */
  sceneListed(sha256: string, jobId: string): Promise<boolean>;
  verdictsAfter(after: { key: string; version: number }, limit: number): Promise<VerdictRow[]>;
  jobsAfter(jobId: string, limit: number): Promise<JobRow[]>;
  receiptsAfter(
    after: { taskId: string; version: number },
    limit: number,
  ): Promise<(ReceiptRow & { fence: number })[]>;
  objectsAfter(after: { key: string; version: number }, limit: number): Promise<ObjectRow[]>;
  blobsAfter(sha256: string, limit: number): Promise<BlobRow[]>;
  /** Claims under a fence that the task has not reached: as `task fence`. */
  claimsAhead(limit: number): Promise<string[]>;
  /** Sources of edges that are no verdict: as `key version`. */
  edgesOfNothing(limit: number): Promise<string[]>;
  /** The second of the oldest event that no reader can be told yet; null where there is none. */
  eventsHeldSince(): Promise<number | null>;
  /** What the store itself finds wrong with its files; nothing where it cannot tell. */
  integrity(): Promise<string[]>;
}

/** A blob goes in three steps: its row is marked, its bytes are removed, its row is deleted. */
export interface UpkeepWrites {
  /** Marks a blob that nothing refers to; false when something does, or when it is marked already. */
  beginRemoval(sha256: string, now: number): Promise<boolean>;
  /** Marks bytes that have no row; false when there is one. */
  beginStrayRemoval(blob: BlobRow, now: number): Promise<boolean>;
  /** Renews the mark that was set at `since`, for one gateway alone; false when another one did. */
  takeOverRemoval(sha256: string, before: number, now: number): Promise<boolean>;
  /** Deletes the row of a marked blob. */
  endRemoval(sha256: string): Promise<void>;
}

/** Fences that a restore leaves out for each second since the copy's last write: more than any task is claimed in it. */
export const SECONDS_FENCES = 1_000;

/** A store that was restored never gives out again what it gave out after the copy was made. */
export interface RestoreWrites {
  /**
   * Frees all open tasks, moves on their fences and the places of events, and keeps the fence from which a task goes
   * on that is reopened or new; a done one keeps the fence that its receipt names. Returns it.
   */
  moveOn(now: number): Promise<number>;
}
