import type { DatabaseSync } from "node:sqlite";
import { eventRows, tellOn } from "./event-rows.ts";
import { jobRows } from "./job-rows.ts";
import { delistOn } from "./open-tasks.ts";
import { pageRows } from "./page-rows.ts";
import { peopleRows } from "./people-rows.ts";
import { receiptRows } from "./receipt-rows.ts";
import { restoredRows } from "./restored-rows.ts";
import { taskRows } from "./task-rows.ts";
import { upkeepRows } from "./upkeep-rows.ts";
import { verdictRows } from "./verdict-rows.ts";

/** Every statement of the store, prepared on one connection. */
export function allRows(db: DatabaseSync) {
  const tell = tellOn(db);
  const delist = delistOn(db);
  return {
    ...taskRows(db, tell),
    ...receiptRows(db, tell, delist),
    ...jobRows(db),
    ...peopleRows(db),
    ...pageRows(db),
    ...eventRows(db, tell),
    ...verdictRows(db),
    ...upkeepRows(db),
    ...restoredRows(db),
  };
}
