import type { DatabaseSync } from "node:sqlite";
import { integer } from "../columns.ts";
import { type RestoreWrites, SECONDS_FENCES } from "../upkeep-rows.ts";
import { REPLACE_META } from "./job-rows.ts";
import { one } from "./statements.ts";
import { FENCE_FLOOR, FREED } from "./task-rows.ts";

export function restoredRows(db: DatabaseSync): RestoreWrites {
  const next = db.prepare(
    `SELECT MAX(COALESCE((SELECT MAX(fence) FROM tasks), 0), COALESCE(${FENCE_FLOOR}, 0))
       + (?1 - seconds + 1) * ${SECONDS_FENCES} AS floor FROM clock`,
  );
  const keep = db.prepare(REPLACE_META);
  const free = db.prepare(`UPDATE tasks SET fence = ?, ${FREED} WHERE result IS NULL`);
  const newest = db.prepare("SELECT COALESCE(MAX(id), 0) AS id FROM events");
  const move = db.prepare("UPDATE events SET id = id + ?");
  return {
    moveOn: async (now) => {
      const floor = one(next, (row) => integer(row, "floor"), now) ?? 0;
      keep.run("fence_floor", String(floor));
      free.run(floor);
      // all of them, and further than the newest: no id is one that it was, and there is still no gap
      move.run(floor + (one(newest, (row) => integer(row, "id")) ?? 0));
      return floor;
    },
  };
}
