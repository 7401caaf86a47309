import { queueSuite } from "./queue-suite.ts";
import { SQLITE } from "./sqlite-store.ts";

queueSuite(SQLITE);
