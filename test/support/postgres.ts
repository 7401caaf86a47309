import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, chownSync, globSync, rmSync, statfsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);

export interface PostgresCluster {
  /** Of the database; with a schema, everything lies in that schema. */
  url(schema?: string): string;
  /** One statement outside the product. */
  query(text: string, schema?: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

/**
 * A real PostgreSQL of its own on a free loopback port, from Debian's packages; as the user `postgres` where
 * the tests run as root, which PostgreSQL refuses to be.
 */
export async function startPostgres(
  settings: readonly string[] = [],
  parent = quickFolder(),
): Promise<PostgresCluster> {
  const bin = programs();
  const user = process.getuid?.() === 0 ? postgresUser() : null;
  const as = user ?? {};
  const folder = await mkdtemp(join(parent, `render-handoff-${process.pid}-`));
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  let port = await freePort();
  // pg_ctl leaves the server to itself: it is no child of this process
  const control = (...args: string[]) => run(join(bin, "pg_ctl"), ["-D", data, ...args], { ...as, cwd: "/" });
  const flags = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`];
  const options = [...flags, "max_connections=60", "shared_buffers=64MB", ...settings];
  const start = async () => {
    const given = [`port=${port}`, ...options].map((setting) => `-c ${setting}`).join(" ");
    await control("-w", "-t", "60", "-l", join(folder, "log"), "-o", given, "start");
  };
  const url = (schema?: string) =>
    `postgres://postgres@127.0.0.1:${port}/postgres${schema === undefined ? "" : `?options=-c%20search_path%3D${schema}`}`;
  await run(
    join(bin, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-instructions", "-N"],
    { ...as, cwd: "/" },
  );
  // a port that was free can be taken before the server binds it
  for (let tries = 1; ; tries += 1)
    try {
      await start();
      break;
    } catch (thrown) {
      if (tries === 3) throw thrown;
      port = await freePort();
    }
  return {
    url,
    start,
    stop: async () => void (await control("-m", "immediate", "stop")),
    query: async (text, schema) => {
      const client = new pg.Client({ connectionString: url(schema) });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(text)).rows;
      } finally {
        await client.end();
      }
    },
    remove: async () => {
      await control("-m", "immediate", "stop").catch(() => {});
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A schema of its own for each folder of a test. */
export async function schemaOf(cluster: PostgresCluster, folder: string): Promise<string> {
  const schema = `s_${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`;
  await cluster.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  return schema;
}

function programs(): string {
  const folders = [
    ...globSync("/usr/lib/postgresql/*/bin").reverse(),
    ...(process.env["PATH"] ?? "").split(":"),
  ];
  const found = folders.find((folder) => {
    try {
      for (const name of ["initdb", "pg_ctl", "postgres"]) accessSync(join(folder, name));
      return true;
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error("PostgreSQL is not installed: node tools/setup.mjs test");
  return found;
}

/** In memory where there is room, so that thousands of flushes of tests do not queue at one disk. */
function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > 512 * 1024 ** 2 ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
}

const postgresUser = (): { uid: number; gid: number } => {
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
};
