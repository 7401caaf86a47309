import { integer } from "../columns.ts";
import { type RestoreWrites, SECONDS_FENCES } from "../upkeep-rows.ts";
import type { Ask } from "./ask.ts";
import { REPLACE_META } from "./job-rows.ts";
import { FENCE_FLOOR, FREED } from "./task-rows.ts";

const NEXT = {
  name: "next_floor",
  text: `SELECT GREATEST((SELECT MAX(fence) FROM tasks), ${FENCE_FLOOR}, 0)
     + ($1::bigint - seconds + 1) * ${SECONDS_FENCES} AS floor FROM clock`,
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

export const restoredRows = (ask: Ask): RestoreWrites => ({
  moveOn: async (now) => {
    const floor = (await ask.one(NEXT, (row) => integer(row, "floor"), [now])) ?? 0;
    await ask.changed(REPLACE_META, ["fence_floor", String(floor)]);
    await ask.changed(FREE, [floor]);
    await ask.changed(NONE_LEASED, []);
    await ask.changed(SETTLE, []);
    await ask.changed(MOVE, [floor]);
    return floor;
  },
});
