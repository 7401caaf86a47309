import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { OUTCOMES } from "../../contracts/documents/child-result.ts";
import { Count, JobId, Label, Positive, SlotName } from "../../contracts/names.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { openDatabase } from "../gateway-client/open-database.ts";

const Row = z.strictObject({
  id: Label,
  slot: SlotName,
  job_id: JobId.nullable().describe("null: the oldest claimable task of the slot"),
  gateway_url: z.string().min(1),
  every_seconds: Positive.nullable().describe("pause after a run that ended; null where one job is meant"),
  state: z.enum(["waiting", "done", "held"]),
  reason: z.string().nullable().describe("why it is held"),
  due: Count.nullable().describe("wall-clock seconds; null when it is done"),
  runs: Count,
  failures: Count.describe("in a row"),
  last_outcome: z.enum(OUTCOMES).nullable(),
});
export type Entry = z.infer<typeof Row>;
export type NewEntry = Pick<Entry, "id" | "slot" | "job_id" | "gateway_url" | "every_seconds" | "due">;
export type Settled = Pick<Entry, "state" | "reason" | "due" | "failures" | "last_outcome">;

/** The entries of a state folder. Every call is one commit, durable when it returns. */
export interface Queue {
  /** False when the id is known: nothing of the known entry is changed. */
  add(entry: NewEntry): boolean;
  /** Oldest due first, then by age. */
  list(): Entry[];
  /** Notes that a run begins: if its end is never noted, the entry is as due as it was. */
  start(id: string): void;
  settle(id: string, settled: Settled): void;
  /** Makes a held entry due at once; false when it is not held. */
  release(id: string): boolean;
  /** What was noted for an entry, oldest first. */
  history(id: string): string[];
  close(): void;
}

const VERSION = 1;
const TABLES = `
  CREATE TABLE entries (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, slot TEXT NOT NULL, job_id TEXT,
    gateway_url TEXT NOT NULL, every_seconds INTEGER, state TEXT NOT NULL, reason TEXT, due INTEGER,
    runs INTEGER NOT NULL, failures INTEGER NOT NULL, last_outcome TEXT
  ) STRICT;
  CREATE TABLE transitions (
    number INTEGER PRIMARY KEY, at INTEGER NOT NULL, id TEXT NOT NULL, event TEXT NOT NULL, reason TEXT
  ) STRICT;
`;
const COLUMNS =
  "id, slot, job_id, gateway_url, every_seconds, state, reason, due, runs, failures, last_outcome";

/** Opens or makes the queue of a state folder that is there. Throws STATE_UNUSABLE. */
export function openQueue(stateFolder: string, clock: Clock): Queue {
  const path = join(stateFolder, "dispatch.sqlite");
  try {
    return queueOver(openDatabase({ path, version: VERSION, tables: TABLES }), clock);
  } catch (thrown) {
    if (thrown instanceof HandoffError) throw thrown;
    throw new HandoffError("STATE_UNUSABLE", path, { cause: thrown });
  }
}

function queueOver(database: DatabaseSync, clock: Clock): Queue {
  const note = database.prepare("INSERT INTO transitions (at, id, event, reason) VALUES (?, ?, ?, ?)");
  /** A change with its note, both or neither; nothing is noted where nothing was changed. */
  const change = (noted: { id: string; event: string; reason: string | null }, work: () => unknown) => {
    database.exec("BEGIN IMMEDIATE");
    try {
      const changed = Number(work()) > 0;
      if (changed) note.run(clock.wallSeconds(), noted.id, noted.event, noted.reason);
      database.exec("COMMIT");
      return changed;
    } catch (thrown) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw thrown;
    }
  };
  const insert = database.prepare(
    "INSERT INTO entries (id, slot, job_id, gateway_url, every_seconds, due, state, runs, failures) " +
      "VALUES (:id, :slot, :job_id, :gateway_url, :every_seconds, :due, 'waiting', 0, 0) ON CONFLICT (id) DO NOTHING",
  );
  const begin = database.prepare("UPDATE entries SET runs = runs + 1 WHERE id = ?");
  const settle = database.prepare(
    "UPDATE entries SET state = :state, reason = :reason, due = :due, failures = :failures, " +
      "last_outcome = :last_outcome WHERE id = :id",
  );
  const release = database.prepare(
    "UPDATE entries SET state = 'waiting', reason = NULL, due = ?, failures = 0 WHERE id = ? AND state = 'held'",
  );
  const noted = (id: string, event: string, reason: string | null = null) => ({ id, event, reason });
  return {
    add: (entry) => change(noted(entry.id, "enqueued"), () => insert.run(entry).changes),
    list: () =>
      database
        .prepare(`SELECT ${COLUMNS} FROM entries ORDER BY due IS NULL, due, number`)
        .all()
        .map(narrowRow),
    start: (id) => void change(noted(id, "started"), () => begin.run(id).changes),
    settle: (id, settled) =>
      void change(
        noted(id, settled.last_outcome ?? "settled", settled.reason),
        () => settle.run({ ...settled, id }).changes,
      ),
    release: (id) => change(noted(id, "released"), () => release.run(clock.wallSeconds(), id).changes),
    history: (id) =>
      database
        .prepare("SELECT event FROM transitions WHERE id = ? ORDER BY number")
        .all(id)
        .map((row) => String(row["event"])),
    close: () => database.close(),
  };
}

function narrowRow(row: unknown): Entry {
  const parsed = Row.safeParse(row);
  if (!parsed.success)
    throw new HandoffError("STATE_UNUSABLE", "The queue holds a row that no dispatch wrote.");
  return parsed.data;
}
