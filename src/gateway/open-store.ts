import { join } from "node:path";
import type { Clock } from "../core/clock.ts";
import { DATABASE_FILE } from "./data-folder.ts";
import { openSqliteStore } from "./queue/sqlite/open.ts";
import type { QueueStore } from "./queue/store.ts";

export interface StoreOptions {
  readonly dataFolder: string;
  /** A `postgres://` URL; null for SQLite in the data folder. */
  readonly storeUrl: string | null;
  readonly clock: Pick<Clock, "wallSeconds" | "uuid">;
  /** Whether a database in PostgreSQL must hold a queue already. */
  readonly existing?: boolean;
}

/** The queue's store; the driver of PostgreSQL is loaded only where it is used. */
export async function openStore(options: StoreOptions): Promise<QueueStore> {
  const { dataFolder, storeUrl, clock, existing } = options;
  if (storeUrl === null) return openSqliteStore({ path: join(dataFolder, DATABASE_FILE), clock });
  const { openPostgresStore } = await import("./queue/postgres/open.ts");
  return openPostgresStore({ url: storeUrl, clock, existing: existing === true });
}
