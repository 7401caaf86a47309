import type { DatabaseSync } from "node:sqlite";
import { integer } from "../columns.ts";
import { type RestoreWrites, SECONDS_FENCES } from "../upkeep-rows.ts";
import { one } from "./statements.ts";

const FLOOR = "(SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'fence_floor')";

export function restoredRows(db: DatabaseSync): RestoreWrites {
  const next = db.prepare(
    `SELECT MAX(COALESCE((SELECT MAX(fence) FROM tasks), 0), COALESCE(${FLOOR}, 0))
       + (?1 - seconds + 1) * ${SECONDS_FENCES} AS floor FROM clock`,
  );
  const keep = db.prepare(
    "INSERT INTO meta(name, value) VALUES ('fence_floor', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  const free = db.prepare(
    `UPDATE tasks SET fence = ?, state = 'ready', worker_id = NULL, claimed_at = NULL, expires_at = NULL,
     progress = NULL WHERE result IS NULL`,
  );
  const newest = db.prepare("SELECT COALESCE(MAX(id), 0) AS id FROM events");
  const move = db.prepare("UPDATE events SET id = id + ?");
  const raise = db.prepare(`UPDATE tasks SET fence = ${FLOOR} WHERE task_id = ? AND fence < ${FLOOR}`);
  return {
    moveOn: async (now) => {
      const floor = one(next, (row) => integer(row, "floor"), now) ?? 0;
      keep.run(String(floor));
      free.run(floor);
      // all of them, and further than the newest: no id is one that it was, and there is still no gap
      move.run(floor + (one(newest, (row) => integer(row, "id")) ?? 0));
      return floor;
    },
    raiseFence: async (taskId) => {
      raise.run(taskId);
    },
  };
}
