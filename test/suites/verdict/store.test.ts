import { postgresOfFile } from "../../support/postgres-of-file.ts";
import { SQLITE } from "../gateway/sqlite-store.ts";
import { postgresStore } from "../postgres/postgres-store.ts";
import { graphSuite } from "./graph-suite.ts";
import { verdictSuite } from "./verdict-suite.ts";

for (const store of [SQLITE, postgresStore(postgresOfFile())]) {
  verdictSuite(store);
  graphSuite(store);
}
