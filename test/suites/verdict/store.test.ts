import { postgresOfFile } from "../../support/postgres-of-file.ts";
import { SQLITE } from "../gateway/sqlite-store.ts";
import { postgresStore } from "../postgres/postgres-store.ts";
import { verdictSuite } from "./verdict-suite.ts";

verdictSuite(SQLITE);
verdictSuite(postgresStore(postgresOfFile()));
