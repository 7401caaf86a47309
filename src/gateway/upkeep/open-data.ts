import type { Clock } from "../../core/clock.ts";
import { HandoffError } from "../../core/error.ts";
import type { BlobReader } from "../blobs/blob-store.ts";
import { readBlobs } from "../blobs/open.ts";
import { lockDataFolder } from "../data-lock.ts";
import { openStore } from "../open-store.ts";
import { openSqliteReader } from "../queue/sqlite/read-only.ts";
import type { QueueReader } from "../queue/store.ts";
import { needDatabase } from "./need-database.ts";

export interface DataOptions {
  /** Null where both store and blobs are elsewhere. */
  readonly dataFolder: string | null;
  readonly storeUrl: string | null;
  readonly blobsUrl: string | null;
  readonly clock: Pick<Clock, "wallSeconds" | "uuid">;
}

export interface OpenedData {
  readonly store: QueueReader;
  readonly blobs: BlobReader;
  close(): Promise<void>;
}

/**
 * A gateway's data to read from. A folder that a gateway serves is read through a second connection that
 * cannot write; one that nobody serves is locked, and brought up to this version. Of PostgreSQL nobody knows who
 * serves it: it is only read.
 */
export async function openData(options: DataOptions): Promise<OpenedData> {
  const store = await openReader(options);
  try {
    const blobs = await readBlobs(options.dataFolder ?? "", options.blobsUrl);
    return {
      store,
      blobs,
      close: async () => {
        await blobs.close();
        await store.close();
      },
    };
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

async function openReader({ dataFolder, storeUrl, clock }: DataOptions): Promise<QueueReader> {
  if (storeUrl !== null) {
    const { openPostgresReader } = await import("../queue/postgres/open.ts");
    return openPostgresReader(storeUrl);
  }
  if (dataFolder === null) throw new HandoffError("USAGE_ARGUMENT", "Give --data, or --store and --blobs.");
  const path = await needDatabase(dataFolder);
  try {
    const lock = lockDataFolder(dataFolder);
    try {
      const store = await openStore({ dataFolder, storeUrl: null, clock });
      return { read: (work) => store.read(work), close: () => store.close().finally(() => lock.release()) };
    } catch (thrown) {
      lock.release();
      throw thrown;
    }
  } catch (thrown) {
    if (!(thrown instanceof HandoffError && thrown.code === "GATEWAY_DATA_LOCKED")) throw thrown;
    return openSqliteReader(path, clock);
  }
}
