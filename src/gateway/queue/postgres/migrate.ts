import type { Client, ClientBase } from "pg";
import type { Clock } from "../../../core/clock.ts";
import { HandoffError, systemCode } from "../../../core/error.ts";
import { MIGRATIONS } from "./migrations.ts";

/** Any number, the same in every gateway: replicas that start together migrate one after another. */
export const MIGRATION_LOCK = 7_204_153_186;
/** SQLSTATEs of a database that has tables or functions of these names, or a table of another shape. */
const ALIEN = new Set(["42P07", "42723", "42703", "42804", "42883"]);
const NO_TABLE = "42P01";

export interface Migrating {
  readonly clock: Pick<Clock, "uuid">;
  /** GATEWAY_DATA_INVALID for a database that holds no queue. */
  readonly existing: boolean;
}

/** Brings the schema to this program's version, in one transaction; a connection that failed is not used again. */
export async function migrate(client: Client, { clock, existing }: Migrating): Promise<void> {
  try {
    await client.query("BEGIN");
    // whatever the server's or the role's own are
    await client.query("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0");
    await client.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await client.query(
      "CREATE TABLE IF NOT EXISTS schema_version(version BIGINT PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL)",
    );
    const version = await versionOf(client);
    if (existing && version === 0)
      throw new HandoffError("GATEWAY_DATA_INVALID", "The database holds no queue.");
    await steps(client, version);
    await client.query("INSERT INTO meta(name, value) VALUES ('gateway_id', $1) ON CONFLICT DO NOTHING", [
      `g_${clock.uuid()}`,
    ]);
    // a dump that was restored into another cluster has transactions that are in the future here
    await client.query("UPDATE events SET tx = 0 WHERE tx > pg_current_xact_id()::text::bigint");
    await client.query("COMMIT");
  } catch (thrown) {
    if (ALIEN.has(systemCode(thrown) ?? ""))
      throw new HandoffError("GATEWAY_DATA_INVALID", "The database is in use by something else.", {
        cause: thrown,
      });
    throw thrown;
  }
}

/**
 * Throws GATEWAY_DATA_INVALID for a database that is not of this program's version yet, or not a queue at all, and
 * GATEWAY_DATA_NEWER for one of a later version.
 */
export async function needVersion(client: Pick<ClientBase, "query">): Promise<void> {
  const version = await versionOf(client).catch((thrown: unknown) => {
    const code = systemCode(thrown) ?? "";
    if (code !== NO_TABLE && !ALIEN.has(code)) throw thrown;
    throw new HandoffError("GATEWAY_DATA_INVALID", "The database holds no queue.", { cause: thrown });
  });
  if (version < MIGRATIONS.length)
    throw new HandoffError("GATEWAY_DATA_INVALID", `Schema version ${version} is from before an upgrade.`);
}

async function versionOf(client: Pick<ClientBase, "query">): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    "SELECT COALESCE(MAX(version), 0)::bigint AS version FROM schema_version",
  );
  const version = rows[0]?.version ?? 0;
  if (version > MIGRATIONS.length) throw new HandoffError("GATEWAY_DATA_NEWER", `Schema version ${version}.`);
  return version;
}

async function steps(client: Client, version: number): Promise<void> {
  for (const [index, step] of MIGRATIONS.slice(version).entries()) {
    await client.query(step);
    await client.query("INSERT INTO schema_version(version, applied_at) VALUES ($1, clock_timestamp())", [
      version + index + 1,
    ]);
  }
}
