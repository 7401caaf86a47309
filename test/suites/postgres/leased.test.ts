import { afterEach, expect, test } from "vitest";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { claim } from "../../../src/gateway/queue/claim.ts";
import { enqueue } from "../../../src/gateway/queue/enqueue.ts";
import { MIGRATIONS } from "../../../src/gateway/queue/postgres/migrations.ts";
import { openPostgresStore } from "../../../src/gateway/queue/postgres/open.ts";
import type { Queue } from "../../../src/gateway/queue/queue.ts";
import { release } from "../../../src/gateway/queue/release.ts";
import type { QueueStore } from "../../../src/gateway/queue/store.ts";
import { submit } from "../../../src/gateway/queue/submit.ts";
import { schemaOf } from "../../support/postgres.ts";
import { postgresOfFile } from "../../support/postgres-of-file.ts";
import { testClock } from "../gateway/queue-bench.ts";

// Who is leased is a table beside the tasks: it and their states never tell different things.

const cluster = postgresOfFile();
const stores: QueueStore[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

async function opened(schema: string, clock = testClock()): Promise<Queue> {
  const wallSeconds = () => clock.wallSeconds();
  const store = await openPostgresStore({ url: cluster().url(schema), clock, connections: 2, wallSeconds });
  stores.push(store);
  return { store, faultPoint: null };
}

/** The leased tasks, after both sides have told the same. */
async function leased(schema: string): Promise<unknown[]> {
  const told = (where: string) =>
    cluster().query(`SELECT task_id FROM tasks WHERE ${where} ORDER BY task_id`, schema);
  const [beside, states] = [await told("seq IN (SELECT seq FROM leased)"), await told("state = 'leased'")];
  expect(beside).toEqual(states);
  return beside.map((row) => row["task_id"]);
}

test("claim, release, a lease that has ended, submit and revocation keep the leased tasks in step", async () => {
  const schema = await schemaOf(cluster(), "in step");
  const clock = testClock();
  const queue = await opened(schema, clock);
  const take = (taskId: string, workerId: string) =>
    claim(queue, { taskId, workerId, idempotencyKey: `key-${clock.seconds}` });
  for (const taskId of ["one", "two"]) await enqueue(queue, { taskId, payload: 1, leaseSeconds: 60 });
  await take("one", "first");
  await take("two", "first");
  expect(await leased(schema)).toEqual(["one", "two"]);
  await release(queue, { taskId: "one", workerId: "first", fence: 1 }, "HANDED_BACK");
  expect(await leased(schema)).toEqual(["two"]);
  clock.seconds += 60;
  await take("two", "second");
  await take("one", "second");
  expect(await leased(schema)).toEqual(["one", "two"]);
  const body = { task_id: "one", worker_id: "second", fencing_token: 2, result: 1 };
  await submit(queue, canonicalBytes(body), "submit");
  expect(await leased(schema)).toEqual(["two"]);
  await queue.store.write((rows) => rows.endLeases("second"));
  expect(await leased(schema)).toEqual([]);
});

test("a claim leaves every index of the tasks as it is", async () => {
  const schema = await schemaOf(cluster(), "no index");
  const queue = await opened(schema);
  const ids = Array.from({ length: 20 }, (_, n) => `task-${n}`);
  for (const taskId of ids) await enqueue(queue, { taskId, payload: 1, leaseSeconds: 60 });
  for (const taskId of ids) await claim(queue, { taskId, workerId: "w", idempotencyKey: null });
  await queue.store.close();
  // a connection that ends hands its counts over, some time after it was closed
  const counted = () =>
    cluster().query(
      `SELECT n_tup_upd::int AS updates, n_tup_hot_upd::int AS within_page FROM pg_stat_user_tables
       WHERE relid = 'tasks'::regclass`,
      schema,
    );
  await expect.poll(counted, { timeout: 30_000 }).toEqual([{ updates: 20, within_page: 20 }]);
});

const versions = MIGRATIONS.map((_, index) => index + 1);
test.each(versions)("a schema of version %i is brought up to date with what is leased", async (version) => {
  const schema = await schemaOf(cluster(), `version ${version}`);
  await cluster().query(
    `CREATE TABLE schema_version(version BIGINT PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL);
     ${MIGRATIONS.slice(0, version).join("")}
     INSERT INTO schema_version SELECT n, clock_timestamp() FROM generate_series(1, ${version}) AS n;
     INSERT INTO tasks(task_id, payload, lease_seconds) VALUES ('open', '1', 60);
     INSERT INTO tasks(task_id, payload, lease_seconds, state, fence, claims, worker_id, claimed_at, expires_at)
       VALUES ('held', '1', 60, 'leased', 4, 1, 'w', 100, 160);
     ${version > 5 ? "INSERT INTO leased(seq) SELECT seq FROM tasks WHERE state = 'leased'" : ""}`,
    schema,
  );
  const queue = await opened(schema);
  expect(await leased(schema)).toEqual(["held"]);
  const held = await queue.store.read((rows) => rows.leasedTasks(100, 9));
  expect(held.map(({ taskId }) => taskId)).toEqual(["held"]);
  await claim(queue, { taskId: "open", workerId: "w", idempotencyKey: "claim" });
  await submit(
    queue,
    canonicalBytes({ task_id: "open", worker_id: "w", fencing_token: 1, result: 1 }),
    "submit",
  );
  expect(await leased(schema)).toEqual(["held"]);
});
