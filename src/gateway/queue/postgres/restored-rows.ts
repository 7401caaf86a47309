import { integer } from "../columns.ts";
import { type RestoreWrites, SECONDS_FENCES } from "../upkeep-rows.ts";
import type { Ask } from "./ask.ts";
import { FREED } from "./task-rows.ts";

const FLOOR = "(SELECT value::bigint FROM meta WHERE name = 'fence_floor')";
const NEXT = {
  name: "next_floor",
  text: `SELECT GREATEST((SELECT MAX(fence) FROM tasks), ${FLOOR}, 0)
     + ($1::bigint - seconds + 1) * ${SECONDS_FENCES} AS floor FROM clock`,
};
const KEEP = {
  name: "keep_floor",
  text: `INSERT INTO meta(name, value) VALUES ('fence_floor', $1::bigint::text)
   ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`,
};
const FREE = { name: "free_open", text: `UPDATE tasks SET fence = $1, ${FREED} WHERE result IS NULL` };
const NONE_LEASED = { name: "none_leased", text: "DELETE FROM leased" };
// their transactions are numbers of another cluster, or of a life of this one that is over
const SETTLE = { name: "settle_events", text: "UPDATE events SET tx = 0 WHERE tx > 0" };
const MOVE = {
  name: "move_events",
  text: `SELECT setval(pg_get_serial_sequence('events', 'id'),
     (SELECT COALESCE(MAX(id), 0) FROM events) + $1::bigint)`,
};
const RAISE = {
  name: "raise_fence",
  text: `UPDATE tasks SET fence = ${FLOOR} WHERE task_id = $1 AND fence < ${FLOOR}`,
};

export const restoredRows = (ask: Ask): RestoreWrites => ({
  moveOn: async (now) => {
    const floor = (await ask.one(NEXT, (row) => integer(row, "floor"), [now])) ?? 0;
    await ask.changed(KEEP, [floor]);
    await ask.changed(FREE, [floor]);
    await ask.changed(NONE_LEASED, []);
    await ask.changed(SETTLE, []);
    await ask.changed(MOVE, [floor]);
    return floor;
  },
  raiseFence: async (taskId) => {
    // not waited for: it costs no journey, and should it fail, COMMIT is answered with ROLLBACK
    ask.changed(RAISE, [taskId]).catch(() => {});
  },
});
