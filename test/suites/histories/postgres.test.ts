import { schemaOf } from "../../support/postgres.ts";
import { postgresOfFile } from "../../support/postgres-of-file.ts";
import { scaled } from "../../support/scale.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { postgresStore } from "../postgres/postgres-store.ts";
import { honestSuite } from "./honest-suite.ts";
import { modelSuite } from "./model-suite.ts";

const cluster = postgresOfFile();
const database = async (): Promise<string> =>
  cluster().url(await schemaOf(cluster(), await temporaryFolder()));

honestSuite({ name: "PostgreSQL", database }, scaled(1, 10));
modelSuite(postgresStore(cluster), scaled(20, 1_000));
