import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/clock.ts";

/** States of a run, as transitions are recorded. */
export const RUN_STATES = [
  "drained",
  "claimed",
  "rendering",
  "killed",
  "rendered",
  "bundled",
  "submitted",
  "lost",
  "ended",
] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Tasks as this worker knows them: when one is due again, and under which key its lease was asked for. */
export interface Jobs {
  /** Wall-clock seconds before which the task is not asked for; null when nothing stands against it. */
  due(taskId: string): number | null;
  setDue(taskId: string, due: number | null): void;
  /** Key of the last claim whose lease is not known to have ended; the same again finds that lease. */
  claimKey(taskId: string): string | null;
  setClaimKey(taskId: string, key: string | null): void;
  /** The task behind which the next search for a task of this slot begins; null for the beginning. */
  lookedUpTo(slot: string): string | null;
  setLookedUpTo(slot: string, taskId: string | null): void;
  /** Tasks with such a key, oldest first. */
  openClaims(): string[];
  record(transition: { taskId: string; fence: number | null; state: RunState; reason: string | null }): void;
  /** What was recorded for a task, oldest first. */
  history(taskId: string): { state: string; reason: string | null }[];
}

export function openJobs(database: DatabaseSync, clock: Clock): Jobs {
  const select = database.prepare("SELECT due, claim_key FROM jobs WHERE task_id = ?");
  const set = (column: "due" | "claim_key" | "state") =>
    database.prepare(
      `INSERT INTO jobs (task_id, ${column}${column === "state" ? "" : ", state"}, updated) ` +
        `VALUES (?, ?${column === "state" ? "" : ", 'known'"}, ?) ` +
        `ON CONFLICT (task_id) DO UPDATE SET ${column} = excluded.${column}, updated = excluded.updated`,
    );
  const setDue = set("due");
  const setClaimKey = set("claim_key");
  const setState = set("state");
  const note = database.prepare(
    "INSERT INTO transitions (at, task_id, fencing_token, state, reason) VALUES (?, ?, ?, ?, ?)",
  );
  const place = database.prepare("SELECT value FROM meta WHERE name = ?");
  const setPlace = database.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)");
  const forgetPlace = database.prepare("DELETE FROM meta WHERE name = ?");
  return {
    due: (taskId) => {
      const due = select.get(taskId)?.["due"];
      return typeof due === "number" ? due : null;
    },
    setDue: (taskId, due) => void setDue.run(taskId, due, clock.wallSeconds()),
    claimKey: (taskId) => {
      const key = select.get(taskId)?.["claim_key"];
      return typeof key === "string" ? key : null;
    },
    setClaimKey: (taskId, key) => void setClaimKey.run(taskId, key, clock.wallSeconds()),
    lookedUpTo: (slot) => {
      const taskId = place.get(placeName(slot))?.["value"];
      return typeof taskId === "string" ? taskId : null;
    },
    setLookedUpTo: (slot, taskId) => {
      if (taskId === null) forgetPlace.run(placeName(slot));
      else setPlace.run(placeName(slot), taskId);
    },
    openClaims: () =>
      database
        .prepare("SELECT task_id FROM jobs WHERE claim_key IS NOT NULL ORDER BY updated, task_id")
        .all()
        .map((row) => String(row["task_id"])),
    record: (transition) => {
      const now = clock.wallSeconds();
      note.run(now, transition.taskId, transition.fence, transition.state, transition.reason);
      setState.run(transition.taskId, transition.state, now);
    },
    history: (taskId) =>
      database
        .prepare("SELECT state, reason FROM transitions WHERE task_id = ? ORDER BY id")
        .all(taskId)
        .map((row) => ({
          state: String(row["state"]),
          reason: row["reason"] === null ? null : String(row["reason"]),
        })),
  };
}

const placeName = (slot: string): string => `looked_up_to_${slot}`;
