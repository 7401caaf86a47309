// Claim + submit in pairs a second, durable; what a claim costs as tasks grow. Prints a Markdown table.
// Usage: npm run bench:queue [-- --rounds N --pairs N] (needs python3 and Debian's postgresql-15)
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { openPostgresStore } from "../../src/gateway/queue/postgres/open.ts";
import { openSqliteStore } from "../../src/gateway/queue/sqlite/open.ts";
import type { QueueStore } from "../../src/gateway/queue/store.ts";
import { startPostgres } from "../../test/support/postgres.ts";
import { barePairs } from "./bare.ts";
import { filled, filledPostgres, growth } from "./growth.ts";
import { median, pairsPerSecond, queueOf } from "./measure.ts";
import { httpPairs, serve } from "./over-http.ts";
import { referencePairs } from "./reference.ts";

const ROUNDS = Number(process.argv[process.argv.indexOf("--rounds") + 1]) || 5;
const COUNT = Number(process.argv[process.argv.indexOf("--pairs") + 1]) || 300;
/** V8 goes on compiling for about 3,000 pairs. */
const WARM = Math.ceil(3_000 / COUNT);
const folders: string[] = [];
const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), "render-handoff-bench-"));
  folders.push(made);
  return made;
};
const sqlite = async (): Promise<QueueStore> =>
  openSqliteStore({ path: join(await folder(), "queue.sqlite"), clock: systemClock });
const rows: [string, string, string, string][] = [];
const row = (what: string, value: string, ratio = "", target = ""): void => {
  rows.push([what, value, ratio, target]);
  console.error(`${what}: ${value} ${ratio}`);
};
const ratio = (left: number, right: number): string => (left / right).toFixed(2);

/** Milliseconds of one 4 KiB write with its flush on the disk that all of this is measured on. */
async function flushMs(): Promise<number> {
  const handle = await open(join(await folder(), "flush"), "w");
  const times: number[] = [];
  for (let n = 0; n < 100; n += 1) {
    const started = performance.now();
    await handle.write(Buffer.alloc(4_096), 0, 4_096, n * 4_096);
    await handle.datasync();
    times.push(performance.now() - started);
  }
  await handle.close();
  return median(times);
}

async function fresh(prefix: string): Promise<number> {
  const store = await sqlite();
  const rate = await pairsPerSecond(queueOf(store), { prefix, count: COUNT, side: 1 });
  await store.close();
  return rate;
}

async function pairs(): Promise<void> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const bare: number[] = [];
  const http: number[] = [];
  // each on a new database in every round; ours before that until its code is compiled, as it is in a gateway that runs
  for (let round = 0; round < WARM; round += 1) await fresh(`warm${round}`);
  const turns = [
    async (round: number) => ours.push(await fresh(`r${round}`)),
    async () => {
      const reference = referencePairs(await folder(), COUNT);
      if (reference !== null) theirs.push(reference);
    },
    async () => bare.push(barePairs(await folder(), COUNT)),
  ];
  // in turns that change, as one finds the disk and the caches as the one before has left them
  for (let round = 0; round < ROUNDS; round += 1)
    for (let turn = 0; turn < turns.length; turn += 1) await turns[(round + turn) % turns.length]?.(round);
  const served = await serve(join(await folder(), "data"));
  for (let round = 0; round < ROUNDS; round += 1) http.push(await httpPairs(served, COUNT, 8));
  await served.stop();
  const [us, them, web] = [median(ours), median(theirs), median(http)];
  if (theirs.length > 0) row("Python reference, store level", `${them.toFixed(0)} pairs/s`);
  row(
    "SQLite, store level",
    `${us.toFixed(0)} pairs/s`,
    them > 0 ? `${ratio(us, them)} of the reference` : "",
    "0.9",
  );
  const plain = median(bare);
  row(
    "as many statements and flushes as the reference, no rules, in Node.js's SQLite",
    `${plain.toFixed(0)} pairs/s`,
    them > 0 ? `${ratio(plain, them)} of the reference` : "",
  );
  row("SQLite over HTTP, 8 clients", `${web.toFixed(0)} pairs/s`, `${ratio(web, us)} of the store`, "0.4");
}

const grown = (name: string, [few, many]: readonly [number, number]): void => {
  row(`${name}, one claim among 1,000 tasks`, `${few.toFixed(2)} ms`);
  row(
    `${name}, one claim among 1,000,000`,
    `${many.toFixed(2)} ms`,
    `${ratio(many, few)} x`,
    "at most 1.3 x",
  );
};

async function postgres(): Promise<void> {
  const cluster = await startPostgres([], tmpdir());
  try {
    const figures = new Map<number, number[]>([
      [1, []],
      [8, []],
    ]);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [connections, values] of figures) {
        const store = await openPostgresStore({ url: cluster.url(), clock: systemClock, connections });
        const options = { prefix: `c${connections}.${round}`, count: COUNT, side: connections };
        values.push(await pairsPerSecond(queueOf(store), options));
        await store.close();
      }
    const [one, eight] = [median(figures.get(1) ?? []), median(figures.get(8) ?? [])];
    row("PostgreSQL, 1 connection", `${one.toFixed(0)} pairs/s`);
    row(
      "PostgreSQL, 8 connections",
      `${eight.toFixed(0)} pairs/s`,
      `${ratio(eight, one)} x`,
      "2 x where a flush takes over 1 ms",
    );
    grown("PostgreSQL", await growth((total) => filledPostgres(cluster, total)));
  } finally {
    await cluster.remove();
  }
}

row("one flush of the disk", `${(await flushMs()).toFixed(2)} ms`);
await pairs();
await postgres();
grown("SQLite", await growth(async (total) => filled(await sqlite(), total)));
for (const made of folders) await rm(made, { recursive: true, force: true });
console.log("| what | measured | ratio | wanted |\n| --- | --- | --- | --- |");
for (const cells of rows) console.log(`| ${cells.join(" | ")} |`);
