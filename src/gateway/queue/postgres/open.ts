import pg, { type ClientBase } from "pg";
import type { Clock } from "../../../core/clock.ts";
import { HandoffError } from "../../../core/error.ts";
import type { QueueReader, QueueStore } from "../store.ts";
import { postgresFault } from "./fault.ts";
import { migrate, needVersion } from "./migrate.ts";
import { PostgresStore } from "./store.ts";

export interface PostgresOptions {
  /** `postgres://user@host:port/database`; password and TLS as libpq's URLs and PG* variables state them. */
  readonly url: string;
  readonly clock: Pick<Clock, "uuid">;
  /** Connections of this gateway at most; 8 when not given. */
  readonly connections?: number;
  /** Instead of the server's clock: for tests. */
  readonly wallSeconds?: () => number;
  /** A database without a queue is refused. */
  readonly existing?: boolean;
}

const CONNECTIONS = 8;
/**
 * Milliseconds. A gateway that hangs inside a transaction loses its locks after the idle time. Who waits for a row
 * gives up before those who wait for a connection: they may want any other row.
 */
export const WAITS = {
  connectionTimeoutMillis: 5_000,
  lock_timeout: 4_000,
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
  try {
    await upgrade(options);
  } catch (thrown) {
    throw postgresFault(thrown);
  }
  return new PostgresStore(openPool(options), options.wallSeconds ?? null);
}

/**
 * The queue in a database that gateways may be serving, to read from: nothing is made or brought up to date.
 * Throws as the store does, and GATEWAY_DATA_INVALID for a database of an older version.
 */
export async function openPostgresReader(url: string): Promise<QueueReader> {
  const pool = openPool({ url });
  try {
    (await pool.connect()).release();
    return new PostgresStore(pool, null);
  } catch (thrown) {
    await pool.end();
    throw postgresFault(thrown);
  }
}

/** On a connection of its own, without limits: a step over a large table takes its time, and others wait for it. */
async function upgrade({ url, clock, existing }: PostgresOptions): Promise<void> {
  const { connectionTimeoutMillis } = WAITS;
  const client = new pg.Client({ ...connection(url), connectionTimeoutMillis });
  client.on("error", () => {});
  try {
    await client.connect();
    await checkSession(client);
    await migrate(client, { clock, existing: existing === true });
  } finally {
    await client.end();
  }
}

function openPool({ url, connections }: Pick<PostgresOptions, "url" | "connections">): pg.Pool {
  const pool = new pg.Pool({
    ...connection(url),
    max: connections ?? CONNECTIONS,
    pipeline: true,
    // a gateway of a later version may bring the schema up to date at any time: this one then stops within that time
    onConnect: async (client) => {
      await checkSession(client);
      await needVersion(client);
    },
    maxLifetimeSeconds: 60,
    ...WAITS,
  });
  // a connection that breaks is told by the statement that it breaks under, or is not missed
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

function connection(url: string): pg.ClientConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  return { connectionString: url, application_name: "render-handoff", keepAlive: true, types };
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
