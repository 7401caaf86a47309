import { once } from "node:events";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { EventFeed } from "../../../src/gateway/http/events/feed.ts";
import { type Gateway, openGateway } from "../../../src/gateway/open.ts";
import { openStore } from "../../../src/gateway/open-store.ts";
import { registerWorker, revokeWorker } from "../../../src/gateway/people/workers.ts";
import { queueDepth } from "../../../src/gateway/queue/depth.ts";
import { BEGINNING } from "../../../src/gateway/queue/read-events.ts";
import { readEvents } from "../../support/event-reader.ts";
import { startGateway } from "../../support/gateway.ts";
import { callGateway } from "../../support/gateway-call.ts";
import { putSampleJob, winSlot } from "../../support/gateway-job.ts";
import { schemaOf } from "../../support/postgres.ts";
import { postgresOfFile } from "../../support/postgres-of-file.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { postgresStore } from "../postgres/postgres-store.ts";
import { eventSuite } from "./event-suite.ts";

const cluster = postgresOfFile();
eventSuite(postgresStore(cluster));

const INSERT = "INSERT INTO events(at, kind, task_id, detail) VALUES (1, 'enqueued', $1, '{}')";

test("an event whose id was given out before but that commits after another is not missed", async () => {
  const folder = await temporaryFolder();
  const storeUrl = cluster().url(await schemaOf(cluster(), folder));
  const store = await openStore({ dataFolder: folder, storeUrl, clock: systemClock });
  onTestFinished(() => store.close());
  const client = async (): Promise<pg.Client> => {
    const one = new pg.Client({ connectionString: storeUrl });
    await one.connect();
    onTestFinished(() => one.end());
    return one;
  };
  const [slow, quick, begun] = [await client(), await client(), await client()];
  const after = async (place = BEGINNING) => store.read((rows) => rows.eventsAfter(place, 10));
  const tasks = async (place = BEGINNING) => (await after(place)).map((event) => event.taskId);

  // an older transaction takes a later id, and commits last
  await begun.query("BEGIN; SELECT pg_current_xact_id()");
  await slow.query("BEGIN");
  await slow.query(INSERT, ["slow"]);
  await quick.query(INSERT, ["quick"]);
  expect(await tasks()).toEqual([]);
  await begun.query(INSERT, ["begun"]);
  await slow.query("COMMIT");
  expect(await tasks()).toEqual([]);
  await begun.query("COMMIT");
  // settled once nothing older runs: the server's own work, autovacuum's, counts too
  await expect.poll(() => tasks()).toEqual(["begun", "slow", "quick"]);
  const last = (await after()).at(-1);
  await quick.query(INSERT, ["next"]);
  await expect.poll(() => tasks(last)).toEqual(["next"]);
});

/** One more gateway on the same store, where the administrator's token is known already. */
async function another(storeUrl: string): Promise<Gateway> {
  const gateway = await openGateway({
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    logger: silentLogger,
    dataFolder: await temporaryFolder(),
    storeUrl,
  });
  onTestFinished(() => gateway.close());
  return gateway;
}

test("a reader at one gateway follows what two others write, misses nothing and sees each once", async () => {
  const storeUrl = cluster().url(await schemaOf(cluster(), await temporaryFolder()));
  const first = await startGateway({ storeUrl });
  const [second, third] = [await another(storeUrl), await another(storeUrl)];
  const reader = await readEvents(`${third.url}/q/events`);
  await reader.next((told) => told.event === "ready");
  const token = first.adminToken;
  const enqueue = async (n: number): Promise<void> => {
    const body = canonicalBytes({ task_id: `task-${n}`, payload: n, lease_seconds: 60 });
    const { url } = n % 2 === 0 ? first : second;
    expect((await callGateway(`${url}/q/enqueue`, { method: "POST", token, body })).status).toBe(201);
  };
  const numbers = Array.from({ length: 60 }, (_, n) => n);
  await Promise.all(numbers.map(enqueue));
  for (const n of numbers) await reader.next((told) => told.data["task_id"] === `task-${n}`);
  const ids = reader.told.filter((told) => told.event === "change").map((told) => told.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(numbers.length);
});

test("the page is the same on PostgreSQL: slots, search, pages, pictures", async () => {
  const storeUrl = cluster().url(await schemaOf(cluster(), await temporaryFolder()));
  const gateway = await startGateway({ storeUrl });
  const job = await putSampleJob(gateway);
  const worker = await gateway.registerWorker("At%ic");
  await winSlot(gateway, worker, { job, slot: "a" });
  const look = async (query: string): Promise<string> =>
    (await gateway.call(`/${query}`, { token: null })).bytes.toString("utf8");
  for (const query of ["", "?show=open", "?q=t%25i", "?handoff=shot-1"])
    expect(await look(query)).toContain('data-state="done" data-task="shot-1.a"');
  for (const query of ["?show=done", "?q=%25%25", "?before=1", "?handoff=shot-2"])
    expect(await look(query)).not.toContain("data-task");
});

test("a transaction that stays open holds events back, which is a figure, and no stream of a revoked worker", async () => {
  const folder = await temporaryFolder();
  const schema = await schemaOf(cluster(), folder);
  const storeUrl = cluster().url(schema);
  const store = await openStore({ dataFolder: folder, storeUrl, clock: systemClock });
  onTestFinished(() => store.close());
  const person = { name: "one", operator: null, public_key: null };
  const { worker_uuid: personUuid } = await registerWorker(store, systemClock, person);
  const open = new pg.Client({ connectionString: storeUrl });
  await open.connect();
  onTestFinished(() => open.end());
  await open.query("BEGIN; SELECT pg_current_xact_id()");
  const feed = new EventFeed({ store, clock: systemClock });
  const stream = await feed.follow({ cursor: null, brief: false, personUuid, trusted: false });
  stream.resume();
  await revokeWorker(store, personUuid);
  await once(stream, "end");
  await feed.close();
  await cluster().query("UPDATE events SET at = at - 600", schema);
  expect((await queueDepth(store)).eventsHeldSeconds).toBeGreaterThanOrEqual(600);
  await open.query("ROLLBACK");
  await expect.poll(async () => (await queueDepth(store)).eventsHeldSeconds).toBe(0);
});
