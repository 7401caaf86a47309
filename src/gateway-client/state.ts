import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { fileSystemOf } from "../core/files/file-system.ts";
import type { HostGate } from "./host-gate.ts";
import { type Jobs, openJobs } from "./jobs.ts";
import { openDatabase } from "./open-database.ts";
import { type Outbox, openOutbox } from "./outbox.ts";
import { storedHostGate } from "./stored-host-gate.ts";

/** A child's memory between its runs, for one gateway and one worker. Every call is durable when it returns. */
export interface State {
  readonly folder: string;
  readonly hosts: HostGate;
  readonly jobs: Jobs;
  readonly outbox: Outbox;
  close(): void;
}

const VERSION = 1;
const TABLES = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE hosts (
    host TEXT PRIMARY KEY, not_before INTEGER, held INTEGER NOT NULL, reason TEXT
  ) STRICT;
  CREATE TABLE jobs (
    task_id TEXT PRIMARY KEY, due INTEGER, claim_key TEXT, state TEXT NOT NULL, updated INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE transitions (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, task_id TEXT NOT NULL, fencing_token INTEGER,
    state TEXT NOT NULL, reason TEXT
  ) STRICT;
  CREATE TABLE outbox (
    key TEXT PRIMARY KEY, gateway_id TEXT NOT NULL, task_id TEXT NOT NULL, job_sha256 TEXT NOT NULL,
    slot TEXT NOT NULL, executable_sha256 TEXT NOT NULL, fencing_token INTEGER NOT NULL,
    folder TEXT NOT NULL, bundle_sha256 TEXT NOT NULL, bundle_bytes INTEGER NOT NULL,
    body_sha256 TEXT NOT NULL, state TEXT NOT NULL, receipt BLOB, reason TEXT, created INTEGER NOT NULL
  ) STRICT;
`;
/** Opens or makes the state folder. Throws STATE_UNUSABLE, also on a file system that is not local. */
export function openState(folder: string, clock: Clock): State {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { remote } = fileSystemOf(folder);
    if (remote !== null)
      throw new HandoffError("STATE_UNUSABLE", `${folder} is on a remote file system (${remote}).`);
    const path = join(folder, "state.sqlite");
    return stateOver(openDatabase({ path, version: VERSION, tables: TABLES }), folder, clock);
  } catch (thrown) {
    if (thrown instanceof HandoffError) throw thrown;
    throw new HandoffError("STATE_UNUSABLE", folder, { cause: thrown });
  }
}

const stateOver = (database: DatabaseSync, folder: string, clock: Clock): State => ({
  folder,
  hosts: storedHostGate(database),
  jobs: openJobs(database, clock),
  outbox: openOutbox(database, clock),
  close: () => database.close(),
});
