import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { registerWorker, revokeWorker } from "../../../src/gateway/people/workers.ts";
import { beingRemoved } from "../../../src/gateway/queue/being-removed.ts";
import { claim } from "../../../src/gateway/queue/claim.ts";
import { enqueue } from "../../../src/gateway/queue/enqueue.ts";
import { MIGRATION_LOCK } from "../../../src/gateway/queue/postgres/migrate.ts";
import { openPostgresStore, WAITS } from "../../../src/gateway/queue/postgres/open.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { startGateway } from "../../support/gateway.ts";
import { schemaOf, startPostgres } from "../../support/postgres.ts";
import { postgresOfFile } from "../../support/postgres-of-file.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const cluster = postgresOfFile();
const database = async (): Promise<string> =>
  cluster().url(await schemaOf(cluster(), await temporaryFolder()));
const SCHEMA = "settings";
const ENQUEUE = { method: "POST", body: { task_id: "task", payload: 1, lease_seconds: 60 } };

describe("a database that goes away", () => {
  test("is 503 with Retry-After on every route that needs it, and is used again once it is back", async () => {
    const gateway = await startGateway({ storeUrl: await database() });
    const worker = await gateway.registerWorker();
    await gateway.call("/q/enqueue", ENQUEUE);
    const take = () =>
      gateway.call("/q/claim", {
        method: "POST",
        token: worker.token,
        body: { task_id: "task", worker_id: worker.workerUuid },
      });
    await cluster().stop();
    for (const answer of [await take(), await gateway.call("/q/tasks"), await gateway.call("/readyz")]) {
      expect(answer).toMatchObject({ status: 503, code: "unavailable" });
      expect(answer.headers["retry-after"]).toBe("5");
    }
    expect((await gateway.call("/healthz", { token: null })).status).toBe(200);
    await cluster().start();
    expect(await take()).toMatchObject({ status: 200 });
  });

  test("a connection that was ended while it was idle is not noticed by the caller", async () => {
    const gateway = await startGateway({ storeUrl: await database() });
    expect((await gateway.call("/q/tasks")).status).toBe(200);
    await cluster().query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'render-handoff'",
    );
    expect((await gateway.call("/q/tasks")).status).toBe(200);
  });

  test("a transaction that is cut off changes nothing", async () => {
    const schema = await schemaOf(cluster(), await temporaryFolder());
    const gateway = await startGateway({ storeUrl: cluster().url(schema) });
    await cluster().query(
      `CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
       CREATE TRIGGER cut AFTER INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION cut()`,
      schema,
    );
    expect((await gateway.call("/q/enqueue", ENQUEUE)).code).toBe("unavailable");
    await cluster().query("DROP TRIGGER cut ON tasks", schema);
    expect((await gateway.call("/q/task/task")).code).toBe("task_unknown");
    expect((await gateway.call("/q/enqueue", ENQUEUE)).status).toBe(201);
  });
});

test("a refusal of ours is no lost connection: the work is not run again", async () => {
  const store = await openPostgresStore({ url: await database(), clock: systemClock });
  onTestFinished(() => store.close());
  let runs = 0;
  const refused = store.write(async () => {
    runs += 1;
    throw beingRemoved("a".repeat(64));
  });
  expect(await codeOfPromise(refused)).toBe("GATEWAY_STORE_FAILED");
  expect(runs).toBe(1);
});

test("a gateway waits for another one's upgrade for longer than for any lock", async () => {
  const url = await database();
  const holding = cluster().query(
    `SELECT pg_advisory_lock(${MIGRATION_LOCK}), pg_sleep(${WAITS.lock_timeout / 1_000 + 1})`,
  );
  await asleep();
  const store = await openPostgresStore({ url, clock: systemClock });
  await store.close();
  await holding;
});

test("who waits for a row gives up before those who wait for a connection", () => {
  expect(WAITS.lock_timeout).toBeLessThan(WAITS.connectionTimeoutMillis);
});

/** Once another session sleeps, with the locks that it has taken. */
const asleep = (): Promise<void> =>
  expect
    .poll(
      async () =>
        (await cluster().query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")).length,
    )
    .toBe(1);
const seconds = async (): Promise<number> =>
  Number((await cluster().query("SELECT FLOOR(EXTRACT(EPOCH FROM clock_timestamp())) AS s"))[0]?.["s"]);

describe("a database that is refused", () => {
  const open = (url: string) => openPostgresStore({ url, clock: systemClock }).then((store) => store.close());

  test("is one that nobody serves", async () => {
    expect(await codeOfPromise(open("postgres://postgres@127.0.0.1:1/postgres"))).toBe(
      "GATEWAY_STORE_FAILED",
    );
  });

  test("is one that does not flush what it acknowledges", async () => {
    const loose = await startPostgres(["fsync=off"]);
    try {
      expect(await codeOfPromise(open(loose.url()))).toBe("GATEWAY_STORE_FAILED");
    } finally {
      await loose.remove();
    }
  });

  test("is one of a newer version", async () => {
    await cluster().query("CREATE SCHEMA newer");
    await open(cluster().url("newer"));
    await cluster().query("INSERT INTO schema_version VALUES (999, clock_timestamp())", "newer");
    expect(await codeOfPromise(open(cluster().url("newer")))).toBe("GATEWAY_DATA_NEWER");
  });

  test.each([
    ["tables", "TABLE alien_tables.jobs(id INTEGER)"],
    ["functions", "FUNCTION alien_functions.lock_task(TEXT) RETURNS TEXT LANGUAGE sql AS 'SELECT $1'"],
  ])("is one with %s of something else", async (what, made) => {
    await cluster().query(`CREATE SCHEMA alien_${what}; CREATE ${made}`);
    expect(await codeOfPromise(open(cluster().url(`alien_${what}`)))).toBe("GATEWAY_DATA_INVALID");
  });
});

describe("time and locks", () => {
  test("synchronous_commit is on in every session, whatever the role's default", async () => {
    await cluster().query(`CREATE SCHEMA ${SCHEMA}`);
    await cluster().query("ALTER ROLE postgres SET synchronous_commit = off");
    const store = await openPostgresStore({ url: cluster().url(SCHEMA), clock: systemClock });
    try {
      await cluster().query(
        `CREATE TABLE seen(setting TEXT);
         CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
         CREATE TRIGGER see BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION see()`,
        SCHEMA,
      );
      await enqueue({ store, faultPoint: null }, { taskId: "seen", payload: 1, leaseSeconds: 60 });
      expect(await cluster().query("SELECT setting FROM seen", SCHEMA)).toEqual([{ setting: "on" }]);
    } finally {
      await store.close();
    }
  });

  test("a claim that had to wait for the row counts from when it got it, by the database's clock", async () => {
    const store = await openPostgresStore({ url: cluster().url(), clock: systemClock });
    const queue = { store, faultPoint: null };
    try {
      await enqueue(queue, { taskId: "waited", payload: null, leaseSeconds: 60 });
      const before = await seconds();
      const holding = cluster().query(
        "BEGIN; SELECT 1 FROM tasks WHERE task_id = 'waited' FOR UPDATE; SELECT pg_sleep(2.2); COMMIT",
      );
      await asleep();
      const taken = await claim(queue, { taskId: "waited", workerId: "w", idempotencyKey: null });
      await holding;
      expect(Date.parse(taken.answer.lease_expires_at) / 1_000).toBeGreaterThanOrEqual(before + 2 + 60);
    } finally {
      await store.close();
    }
  });

  test.each([
    ["a task of the worker's", "SELECT 1 FROM tasks WHERE task_id = 'task' FOR UPDATE"],
    ["the worker, whom a claim has read", "SELECT 1 FROM workers FOR SHARE"],
  ])("a revocation that had to wait for %s counts from when it got it", async (_name, lock) => {
    const schema = await schemaOf(cluster(), await temporaryFolder());
    const store = await openPostgresStore({ url: cluster().url(schema), clock: systemClock });
    onTestFinished(() => store.close());
    const person = { name: "worker", operator: null, public_key: null };
    const { worker_uuid: workerId } = await registerWorker(store, systemClock, person);
    await enqueue({ store, faultPoint: null }, { taskId: "task", payload: 1, leaseSeconds: 60 });
    await claim({ store, faultPoint: null }, { taskId: "task", workerId, idempotencyKey: null });
    const before = await seconds();
    const holding = cluster().query(`BEGIN; ${lock}; SELECT pg_sleep(2.2); COMMIT`, schema);
    await asleep();
    const { revoked_at } = await revokeWorker(store, workerId);
    await holding;
    expect(Date.parse(revoked_at ?? "") / 1_000).toBeGreaterThanOrEqual(before + 2);
    const task = await store.read((rows) => rows.task("task"));
    expect(task).toMatchObject({ state: "ready", workerId: null });
  });
});
