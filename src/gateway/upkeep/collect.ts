import type { CollectAnswer, CollectRequest } from "../../../contracts/wire/upkeep.ts";
import type { Clock } from "../../core/clock.ts";
import type { BlobName, BlobStore } from "../blobs/blob-store.ts";
import type { QueueStore } from "../queue/store.ts";

export interface Collection {
  readonly store: QueueStore;
  readonly blobs: BlobStore;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** Bytes without a row may be of an upload on its way: younger ones are left alone, whatever was asked for. */
const STRAY_SECONDS = 3_600;
/** A removal that was begun so long ago is one whose gateway is gone. */
export const ABANDONED_SECONDS = 3_600;
/** After this time no mark of this call's is trusted to be its own. */
const MARK_MS = 600_000;
/** So few that a call ends while its client still waits, also where each removal takes a while. */
const BATCH = 20;
/** After this time a call begins no other batch; its answer says where to go on. */
const CALL_MS = 2_000;

/**
 * Removes blobs that no job, no object and no lease in force refers to and that were last put long enough
 * ago; then bytes that no row knows. Each goes in three steps: row marked, bytes removed, row deleted. While
 * a row is marked, nothing can refer to the blob and nobody can put it; who put it at the same time looks
 * for the bytes after writing the row. So nothing that is referred to is ever without its bytes.
 */
export async function collectGarbage(work: Collection, request: CollectRequest): Promise<CollectAnswer> {
  const ends = work.clock.monotonicMs() + CALL_MS;
  const isOver = (): boolean => work.clock.monotonicMs() > ends;
  const told = { blobs: 0, blob_bytes: 0, strays: 0, stray_bytes: 0 };
  const now = await work.store.read((rows) => rows.now());
  let [phase = "unused", after = ""] = request.cursor?.split(":") ?? [];
  if (request.cursor === null && !request.dry_run) await finishRemovals(work, now - ABANDONED_SECONDS);
  const dry = request.dry_run;
  while (phase === "unused") {
    if (isOver()) return { ...told, cursor: `unused:${after}` };
    const page = { before: now - request.older_than_seconds, after, limit: BATCH };
    const found = await work.store.read((rows) => rows.unusedBlobs(page));
    after = found.at(-1)?.sha256 ?? "";
    const removed = dry ? found : await removeMarked(work, found, "unused");
    told.blobs += removed.length;
    told.blob_bytes += sum(removed);
    if (found.length < BATCH) [phase, after] = ["stray", ""];
  }
  if (isOver()) return { ...told, cursor: `stray:${after}` };
  const before = now - Math.max(request.older_than_seconds, STRAY_SECONDS);
  for await (const batch of batches(work.blobs.list(after))) {
    const old = batch.filter(({ changedAt }) => changedAt <= before);
    const strays = await work.store.read(async (rows) => {
      const unknown: BlobName[] = [];
      for (const { sha256, bytes } of old)
        if (!(await rows.blobListed(sha256))) unknown.push({ sha256, bytes });
      return unknown;
    });
    const removed = dry ? strays : await removeMarked(work, strays, "stray");
    told.strays += removed.length;
    told.stray_bytes += sum(removed);
    if (isOver()) return { ...told, cursor: `stray:${batch.at(-1)?.sha256 ?? after}` };
  }
  return { ...told, cursor: null };
}

/** Ends removals that were begun at or before a second and that no gateway is at work on any more. */
export async function finishRemovals(work: Omit<Collection, "clock">, before: number): Promise<void> {
  const begun = await work.store.read((rows) => rows.begunRemovals(before));
  for (const { sha256 } of begun) {
    const own = await work.store.write(async (rows) =>
      rows.takeOverRemoval(sha256, before, await rows.now()),
    );
    if (!own) continue;
    await work.blobs.remove(sha256);
    await work.store.write((rows) => rows.endRemoval(sha256));
  }
}

/** What was really removed: a blob that something refers to by now stays. */
async function removeMarked(
  work: Collection,
  candidates: readonly BlobName[],
  kind: "unused" | "stray",
): Promise<BlobName[]> {
  if (candidates.length === 0) return [];
  const started = work.clock.monotonicMs();
  const marked = await work.store.write(async (rows) => {
    const now = await rows.now();
    const own: BlobName[] = [];
    for (const blob of candidates) {
      const mine =
        kind === "unused"
          ? await rows.beginRemoval(blob.sha256, now)
          : await rows.beginStrayRemoval(blob, now);
      if (mine) own.push(blob);
    }
    return own;
  });
  const removed: BlobName[] = [];
  try {
    for (const blob of marked) {
      if (work.clock.monotonicMs() - started > MARK_MS) break;
      await work.blobs.remove(blob.sha256);
      removed.push(blob);
    }
  } finally {
    await work.store.write(async (rows) => {
      for (const { sha256 } of removed) await rows.endRemoval(sha256);
    });
  }
  return removed;
}

async function* batches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const sum = (blobs: readonly BlobName[]): number => blobs.reduce((total, { bytes }) => total + bytes, 0);
