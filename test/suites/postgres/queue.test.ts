import { postgresOfFile } from "../../support/postgres-of-file.ts";
import { queueSuite } from "../gateway/queue-suite.ts";
import { postgresStore } from "./postgres-store.ts";

queueSuite(postgresStore(postgresOfFile()));
