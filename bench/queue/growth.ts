import { systemClock } from "../../src/core/clock.ts";
import { claim } from "../../src/gateway/queue/claim.ts";
import { openPostgresStore } from "../../src/gateway/queue/postgres/open.ts";
import type { Queue } from "../../src/gateway/queue/queue.ts";
import type { QueueStore } from "../../src/gateway/queue/store.ts";
import { type PostgresCluster, schemaOf } from "../../test/support/postgres.ts";
import { median, queueOf } from "./measure.ts";

export const FEW = 1_000;
export const MANY = 1_000_000;
const SAMPLES = 400;

/** Milliseconds of one claim among few and among many tasks, each task once, in turns: the medians. */
export async function growth(open: (total: number) => Promise<QueueStore>): Promise<[number, number]> {
  const [few, many] = [await open(FEW), await open(MANY)];
  const [fewTimes, manyTimes]: [number[], number[]] = [[], []];
  for (let n = 0; n < SAMPLES; n += 1) {
    fewTimes.push(await claimMs(queueOf(few), Math.floor(((n + 0.5) / SAMPLES) * FEW)));
    manyTimes.push(await claimMs(queueOf(many), Math.floor(((n + 0.5) / SAMPLES) * MANY)));
  }
  await few.close();
  await many.close();
  return [median(fewTimes), median(manyTimes)];
}

async function claimMs(queue: Queue, n: number): Promise<number> {
  const started = performance.now();
  await claim(queue, { taskId: `t.${n}`, workerId: "worker", idempotencyKey: null });
  return performance.now() - started;
}

/** `total` tasks through the store's own insertion. */
export async function filled(store: QueueStore, total: number): Promise<QueueStore> {
  for (let at = 0; at < total; at += 50_000)
    await store.write(async (tables) => {
      for (let n = at; n < Math.min(at + 50_000, total); n += 1)
        await tables.insertTask({
          taskId: `t.${n}`,
          payload: `{"work":"t.${n}"}`,
          jobId: null,
          slot: null,
          leaseSeconds: 600,
          slotSeconds: null,
          maxClaims: null,
          distinct: null,
          bundleBytes: null,
        });
    });
  return store;
}

/** The same rows in a schema of their own, made by the server: a million statements would take many minutes. */
export async function filledPostgres(cluster: PostgresCluster, total: number): Promise<QueueStore> {
  const schema = await schemaOf(cluster, `growth.${total}`);
  const store = await openPostgresStore({ url: cluster.url(schema), clock: systemClock, connections: 1 });
  await cluster.query(
    `INSERT INTO tasks(task_id, payload, lease_seconds)
     SELECT 't.' || n, '{"work":"t.' || n || '"}', 600 FROM generate_series(0, ${total - 1}) AS n`,
    schema,
  );
  // what autovacuum and the checkpointer would do in their own time; the first change of a page after a
  // checkpoint writes the whole page to the log
  await cluster.query("VACUUM ANALYZE tasks", schema);
  await cluster.query("CHECKPOINT");
  return store;
}
