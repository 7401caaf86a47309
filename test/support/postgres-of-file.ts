import { afterAll, beforeAll } from "vitest";
import { type PostgresCluster, startPostgres } from "./postgres.ts";

/** One cluster for all tests of a file. */
export function postgresOfFile(): () => PostgresCluster {
  let cluster: PostgresCluster | null = null;
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(() => cluster?.remove());
  return () => {
    if (cluster === null) throw new Error("PostgreSQL has not been started");
    return cluster;
  };
}
