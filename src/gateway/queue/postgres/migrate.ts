import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../../core/clock.ts";
import { HandoffError, systemCode } from "../../../core/error.ts";
import { MIGRATIONS } from "./migrations.ts";

/** Any number, the same in every gateway: replicas that start together migrate one after another. */
const LOCK = 7_204_153_186;
/** SQLSTATEs of a database that has tables of these names, or of this name and another shape. */
const ALIEN = new Set(["42P07", "42703", "42804", "42883"]);

/** Brings the schema to this program's version, in one transaction. */
export async function migrate(pool: Pool, clock: Pick<Clock, "uuid">): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    await client.query(
      "CREATE TABLE IF NOT EXISTS schema_version(version BIGINT PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL)",
    );
    await steps(client, await versionOf(client));
    await client.query("INSERT INTO meta(name, value) VALUES ('gateway_id', $1) ON CONFLICT DO NOTHING", [
      `g_${clock.uuid()}`,
    ]);
    // a dump that was restored into another cluster has transactions that are in the future here
    await client.query("UPDATE events SET tx = 0 WHERE tx > pg_current_xact_id()::text::bigint");
    await client.query("COMMIT");
    client.release();
  } catch (thrown) {
    client.release(true);
    if (ALIEN.has(systemCode(thrown) ?? ""))
      throw new HandoffError("GATEWAY_DATA_INVALID", "The database has tables of something else.", {
        cause: thrown,
      });
    throw thrown;
  }
}

async function versionOf(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    "SELECT COALESCE(MAX(version), 0)::bigint AS version FROM schema_version",
  );
  const version = rows[0]?.version ?? 0;
  if (version > MIGRATIONS.length) throw new HandoffError("GATEWAY_DATA_NEWER", `Schema version ${version}.`);
  return version;
}

async function steps(client: PoolClient, version: number): Promise<void> {
  for (const [index, step] of MIGRATIONS.slice(version).entries()) {
    await client.query(step);
    await client.query("INSERT INTO schema_version(version, applied_at) VALUES ($1, clock_timestamp())", [
      version + index + 1,
    ]);
  }
}
