// The zombie schedule and claim + complete on pg-boss, graphile-worker and this gateway, on one real PostgreSQL.
// Usage: cd bench/peers && npm ci --ignore-scripts && node index.ts
import { tmpdir } from "node:os";
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { systemClock } from "../../src/core/clock.ts";
import { canonicalBytes } from "../../src/core/json/canonical.ts";
import { claim } from "../../src/gateway/queue/claim.ts";
import { enqueue } from "../../src/gateway/queue/enqueue.ts";
import { openPostgresStore } from "../../src/gateway/queue/postgres/open.ts";
import { submit } from "../../src/gateway/queue/submit.ts";
import { schemaOf, startPostgres } from "../../test/support/postgres.ts";
import { median, pairsPerSecond, queueOf } from "../queue/measure.ts";

const COUNT = 500;
const ROUNDS = 15;
const LANES = 8;
const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const cluster = await startPostgres([], tmpdir());
const connectionString = cluster.url();
const zombies: [string, string, string][] = [];

// this gateway: the first worker's lease ends, a second worker takes the task, the first hands in late
const store = await openPostgresStore({
  url: cluster.url(await schemaOf(cluster, "ours")),
  clock: systemClock,
});
const queue = queueOf(store);
await enqueue(queue, { taskId: "zombie", payload: null, leaseSeconds: 2 });
const body = (worker: string, fence: number) =>
  canonicalBytes({ task_id: "zombie", worker_id: worker, fencing_token: fence, result: worker });
const take = (workerId: string) => claim(queue, { taskId: "zombie", workerId, idempotencyKey: null });
const told = (promise: Promise<unknown>) =>
  promise.then(
    () => "accepted",
    (thrown: { code?: string }) => String(thrown.code),
  );
const first = (await take("first")).answer.fencing_token;
await wait(3_100);
const second = (await take("second")).answer.fencing_token;
const late = await told(submit(queue, body("first", first), "key-1"));
const newer = await told(submit(queue, body("second", second), "key-2"));
zombies.push(["this gateway", late, newer]);

// pg-boss: fetch, expiry, fetch by another, completion by the first
const hurried = new PgBoss({
  connectionString,
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
  maintenanceIntervalSeconds: 1,
});
hurried.on("error", () => {});
await hurried.start();
await hurried.createQueue("zombie");
const id = await hurried.send("zombie", {}, { expireInSeconds: 1, retryLimit: 5, retryDelay: 0 });
const held = (await hurried.fetch("zombie"))[0];
let again: { id: string } | undefined;
for (let tries = 0; tries < 60 && again === undefined; tries += 1) {
  await wait(500);
  await hurried.supervise("zombie");
  again = (await hurried.fetch("zombie"))[0];
}
if (held === undefined || again === undefined || id === null)
  throw new Error("pg-boss did not give the job twice");
await hurried.complete("zombie", held.id, { by: "first" });
await hurried.complete("zombie", again.id, { by: "second" });
const output = await cluster.query(`SELECT output->>'by' AS by FROM pgboss.job WHERE id = '${id}'`);
const kept = String(output[0]?.["by"]);
zombies.push([
  "pg-boss",
  kept === "first" ? "accepted" : "not kept",
  kept === "second" ? "accepted" : "lost",
]);

await hurried.stop({ graceful: false });

// graphile-worker: the first worker is given up on while it works, another one takes the job, the first ends
const pool = new pg.Pool({ connectionString });
pool.on("error", () => {});
pool.on("connect", (client) => client.on("error", () => {}));
const logger = new Logger(() => () => {});
const utils = await makeWorkerUtils({ pgPool: pool, logger });
await utils.migrate();
await utils.addJob("zombie", {}, { jobKey: "zombie" });
const ends: (() => void)[] = [];
const taskList = { zombie: () => new Promise<void>((resolve) => ends.push(resolve)), pair: async () => {} };
const quiet = { pgPool: pool, taskList, concurrency: 1, noHandleSignals: true, pollInterval: 100, logger };
const runners = [await run(quiet)];
while (ends.length < 1) await wait(50);
const locked = await cluster.query("SELECT locked_by FROM graphile_worker._private_jobs");
await utils.forceUnlockWorkers([String(locked[0]?.["locked_by"])]);
runners.push(await run(quiet));
while (ends.length < 2) await wait(50);
ends[0]?.();
await wait(500);
const left = await cluster.query("SELECT 1 FROM graphile_worker._private_jobs");
zombies.push([
  "graphile-worker",
  left.length === 0 ? "accepted" : "refused",
  left.length === 0 ? "lost" : "accepted",
]);
ends[1]?.();
for (const runner of runners) await runner.stop();

// claim + complete, eight at a time, in short rounds one behind the other; each queue as it is by default
const boss = new PgBoss({ connectionString });
boss.on("error", () => {});
await boss.start();
const rates = new Map<string, number[]>();
const note = (name: string, rate: number) => rates.set(name, [...(rates.get(name) ?? []), rate]);
await boss.createQueue("pairs");
for (let round = 0; round < ROUNDS; round += 1) {
  for (let n = 0; n < COUNT; n += 1) {
    await boss.send("pairs", { n });
    await utils.addJob("pair", { n });
  }
  note("this gateway", await pairsPerSecond(queue, { prefix: `p${round}`, count: COUNT, side: LANES }));
  let started = performance.now();
  const lane = async (): Promise<void> => {
    for (;;) {
      const job = (await boss.fetch("pairs"))[0];
      if (job === undefined) return;
      await boss.complete("pairs", job.id, { answer: 42 });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  note("pg-boss", COUNT / ((performance.now() - started) / 1_000));
  started = performance.now();
  const options = { pgPool: pool, taskList, concurrency: LANES, noHandleSignals: true, logger };
  await run({ ...options, pollInterval: 20 }).then(async (runner) => {
    while ((await pool.query("SELECT 1 FROM graphile_worker._private_jobs LIMIT 1")).rowCount !== 0)
      await wait(5);
    note("graphile-worker", COUNT / ((performance.now() - started) / 1_000));
    await runner.stop();
  });
}
await boss.stop({ graceful: false });
await utils.release();
await pool.end();
await store.close();
await cluster.remove();

console.log(
  `| queue | the given-up worker's late completion | the newer worker's completion | claim + complete, ${LANES} at a time | beside pg-boss | least to most |`,
);
console.log("| --- | --- | --- | ---: | ---: | ---: |");
for (const [name, lateOne, newerOne] of zombies) {
  const own = rates.get(name) ?? [];
  const beside = own.map((rate, round) => rate / (rates.get("pg-boss")?.[round] ?? 0));
  const spread = `${Math.min(...beside).toFixed(2)} to ${Math.max(...beside).toFixed(2)}`;
  console.log(
    `| ${name} | ${lateOne} | ${newerOne} | ${median(own).toFixed(0)} pairs/s | ${median(beside).toFixed(2)} | ${spread} |`,
  );
}
