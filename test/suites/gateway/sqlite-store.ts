import { join } from "node:path";
import { openSqliteStore } from "../../../src/gateway/queue/sqlite/open.ts";
import type { StoreUnderTest } from "./queue-bench.ts";

export const SQLITE: StoreUnderTest = {
  name: "SQLite",
  open: async (folder, clock) => openSqliteStore({ path: join(folder, "queue.sqlite"), clock }),
};
