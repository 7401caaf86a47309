import pg, { type ClientBase } from "pg";
import type { Clock } from "../../../core/clock.ts";
import { HandoffError } from "../../../core/error.ts";
import type { QueueStore } from "../store.ts";
import { postgresFault } from "./fault.ts";
import { migrate } from "./migrate.ts";
import { PostgresStore } from "./store.ts";

export interface PostgresOptions {
  /** `postgres://user@host:port/database`; password and TLS as libpq's URLs and PG* variables state them. */
  readonly url: string;
  readonly clock: Pick<Clock, "uuid">;
  /** Connections of this gateway at most; 8 when not given. */
  readonly connections?: number;
  /** Instead of the server's clock: for tests. */
  readonly wallSeconds?: () => number;
}

const CONNECTIONS = 8;
/** Milliseconds. A gateway that hangs inside a transaction loses its locks after the idle time. */
const WAITS = {
  connectionTimeoutMillis: 5_000,
  lock_timeout: 10_000,
  statement_timeout: 20_000,
  query_timeout: 25_000,
  idle_in_transaction_session_timeout: 15_000,
};
const INT8 = 20;

/**
 * Opens the queue in a PostgreSQL database and brings its schema up to date. Throws GATEWAY_STORE_FAILED for
 * a server that cannot be reached or does not keep what it acknowledges (rule 8), GATEWAY_DATA_INVALID for a
 * database that is not ours, not UTF-8 or of a newer version.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<QueueStore> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections ?? CONNECTIONS,
    application_name: "render-handoff",
    keepAlive: true,
    pipeline: true,
    types,
    onConnect: checkSession,
    ...WAITS,
  });
  // a connection that breaks is told by the statement that it breaks under, or is not missed
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  try {
    await migrate(pool, options.clock);
    return new PostgresStore(pool, options.wallSeconds ?? null);
  } catch (thrown) {
    await pool.end();
    throw postgresFault(thrown);
  }
}

/** Rule 8, set and read back on every connection. `remote_apply` waits for more than `on` does. */
const SETTINGS = `SELECT set_config('synchronous_commit',
   CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)
    AS synchronous_commit,
  current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
  current_setting('server_encoding') AS encoding`;

async function checkSession(client: ClientBase): Promise<void> {
  const settings = (await client.query<Record<string, string>>(SETTINGS)).rows[0];
  if (settings?.["encoding"] !== "UTF8")
    throw new HandoffError("GATEWAY_DATA_INVALID", "The database's encoding is not UTF8.");
  const kept = ["on", "remote_apply"].includes(settings["synchronous_commit"] ?? "");
  if (!kept || settings["fsync"] !== "on" || settings["full_page_writes"] !== "on")
    throw new HandoffError(
      "GATEWAY_STORE_FAILED",
      "PostgreSQL does not keep what it acknowledges: fsync, full_page_writes and synchronous_commit must be on.",
    );
}
