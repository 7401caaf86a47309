import { openPostgresStore } from "../../../src/gateway/queue/postgres/open.ts";
import type { PostgresCluster } from "../../support/postgres.ts";
import type { StoreUnderTest } from "../gateway/queue-bench.ts";

const TABLES =
  "job_scenes tasks jobs claims receipts objects reasons blobs uploads workers checkers events previews verdicts edges leased meta";

/** The rows of one database for one folder at a time: a new folder starts from no rows, in the same tables. */
export function postgresStore(cluster: () => PostgresCluster): StoreUnderTest {
  let holder: string | null = null;
  const empty = async (): Promise<void> => {
    const deletes = TABLES.split(" ").map((table) => `DELETE FROM ${table};`);
    await cluster().query(`${deletes.join("")} UPDATE clock SET seconds = 0`);
  };
  return {
    name: "PostgreSQL",
    open: async (folder, clock) => {
      if (holder !== null && holder !== folder) await empty();
      holder = folder;
      const wallSeconds = () => clock.wallSeconds();
      return openPostgresStore({ url: cluster().url(), clock, connections: 4, wallSeconds });
    },
  };
}
