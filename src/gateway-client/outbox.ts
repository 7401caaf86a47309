import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { Count, Fence, GatewayId, IdempotencyKey, Sha256, SlotName, TaskId } from "../../contracts/names.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";

/**
 * Finished work on its way to the gateway. `pending` until a receipt or a refusal; a `discarded` row's
 * frames may be handed in again under a new fence while its folder is there. `folder` is relative to the
 * state folder and holds the files that the digests name.
 */
const Row = z.object({
  key: IdempotencyKey,
  gateway_id: GatewayId,
  task_id: TaskId,
  job_sha256: Sha256,
  slot: SlotName,
  executable_sha256: Sha256,
  fencing_token: Fence,
  folder: z.string().min(1),
  bundle_sha256: Sha256,
  bundle_bytes: Count,
  body_sha256: Sha256,
  state: z.enum(["pending", "done", "discarded"]),
  created: Count,
});
export type OutboxRow = z.infer<typeof Row>;
export type NewOutboxRow = Omit<OutboxRow, "key" | "state" | "created">;

/** Names of the files in a row's folder. */
export const OUTBOX_FILES = { bundle: "bundle.zip", body: "submit.json" } as const;

export interface Outbox {
  /** One commit, after which the work is complete; makes the key. The files must be durable already. */
  add(row: NewOutboxRow): OutboxRow;
  pending(): OutboxRow[];
  /** The newest discarded work for exactly this job, slot and executable. */
  reusable(work: Pick<OutboxRow, "job_sha256" | "slot" | "executable_sha256">): OutboxRow | null;
  finish(key: string, receipt: Uint8Array): void;
  discard(key: string, reason: string): void;
  /** The receipt's bytes; null before. */
  receipt(key: string): Uint8Array | null;
  /** Folders that rows still need. */
  foldersInUse(): string[];
  /** The folder of a row is gone; the row stays. */
  forgetFolder(folder: string): void;
}

const COLUMNS =
  "key, gateway_id, task_id, job_sha256, slot, executable_sha256, fencing_token, folder, bundle_sha256, " +
  "bundle_bytes, body_sha256, state, created";
/** Discarded work that is kept for another claim; older folders are given up. */
const KEPT = 8;

export function openOutbox(database: DatabaseSync, clock: Clock): Outbox {
  const insert = database.prepare(
    `INSERT INTO outbox (${COLUMNS}) VALUES (${COLUMNS.split(", ")
      .map((name) => `:${name}`)
      .join(", ")})`,
  );
  const update = database.prepare("UPDATE outbox SET state = ?, receipt = ?, reason = ? WHERE key = ?");
  return {
    add: (fields) => {
      const row: OutboxRow = { ...fields, key: clock.uuid(), state: "pending", created: clock.wallSeconds() };
      insert.run(row);
      return row;
    },
    pending: () =>
      database
        .prepare(`SELECT ${COLUMNS} FROM outbox WHERE state = 'pending' ORDER BY created, rowid`)
        .all()
        .map(narrowRow),
    reusable: (work) => {
      const row = database
        .prepare(
          `SELECT ${COLUMNS} FROM outbox WHERE state = 'discarded' AND folder <> '-' AND job_sha256 = ? ` +
            "AND slot = ? AND executable_sha256 = ? ORDER BY rowid DESC LIMIT 1",
        )
        .get(work.job_sha256, work.slot, work.executable_sha256);
      return row === undefined ? null : narrowRow(row);
    },
    finish: (key, receipt) => void update.run("done", receipt, null, key),
    discard: (key, reason) => void update.run("discarded", null, reason, key),
    receipt: (key) => {
      const bytes = database.prepare("SELECT receipt FROM outbox WHERE key = ?").get(key)?.["receipt"];
      return bytes instanceof Uint8Array ? bytes : null;
    },
    foldersInUse: () => [
      ...column(database, "SELECT folder FROM outbox WHERE state = 'pending'"),
      ...column(
        database,
        `SELECT folder FROM outbox WHERE state = 'discarded' AND folder <> '-' ORDER BY rowid DESC LIMIT ${KEPT}`,
      ),
    ],
    forgetFolder: (folder) =>
      void database
        .prepare("UPDATE outbox SET folder = '-' WHERE folder = ? AND state <> 'pending'")
        .run(folder),
  };
}

const column = (database: DatabaseSync, sql: string): string[] =>
  database
    .prepare(sql)
    .all()
    .map((row) => String(row["folder"]));

function narrowRow(row: unknown): OutboxRow {
  const parsed = Row.safeParse(row);
  if (!parsed.success) throw new HandoffError("STATE_UNUSABLE", "The outbox holds a row that no run wrote.");
  return parsed.data;
}
