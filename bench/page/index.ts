// What the page costs: how soon it shows a change, what 200 open pages add to a claim, and what 10,000 finished
// handoffs add to the page. Usage: npm run bench:page [-- --viewers N --handoffs N --claims N]
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { median } from "../queue/measure.ts";
import { type Served, serve } from "../queue/over-http.ts";
import { fill } from "./fill.ts";
import { openViewer } from "./viewer.ts";

const option = (name: string, standard: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? standard : Number(process.argv[at + 1]) || standard;
};
const [viewers, handoffs, claims] = [
  option("viewers", 200),
  option("handoffs", 10_000),
  option("claims", 200),
];
const BIN = join(import.meta.dirname, "../../dist/src/cli/bin/render-handoff.js");
const folder = await mkdtemp(join(tmpdir(), "render-handoff-bench-"));
try {
  await followed();
  await crowded();
  await grown();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function poster(served: Served) {
  const pool = new Pool(served.url, { connections: 1, pipelining: 1 });
  const post = async (path: string, token: string, body: unknown): Promise<Record<string, unknown>> => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const answer = await pool.request({ path, method: "POST", headers, body: JSON.stringify(body) });
    if (answer.statusCode >= 300) throw new Error(await answer.body.text());
    return Object(await answer.body.json());
  };
  const worker = await post("/q/worker", served.adminToken, {
    name: "one",
    operator: null,
    public_key: null,
  });
  const [uuid, token] = [String(worker["worker_uuid"]), String(worker["token"])];
  return {
    enqueue: (task_id: string) =>
      post("/q/enqueue", served.adminToken, { task_id, payload: null, lease_seconds: 600 }),
    claim: (task_id: string) => post("/q/claim", token, { task_id, worker_id: uuid }),
    close: () => pool.close(),
  };
}

/** From the answer to a claim until a page that shows it was read. */
async function followed(): Promise<void> {
  const served = await serve(join(folder, "followed"));
  const calls = await poster(served);
  const viewer = await openViewer(served.url);
  const delays: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    await calls.enqueue(`followed-${n}`);
    const shown = viewer.shows(`followed-${n}`);
    const started = performance.now();
    await shown;
    delays.push(performance.now() - started);
  }
  viewer.close();
  await calls.close();
  await served.stop();
  console.log(`a change is on the page after ${ms(median(delays))}, at most ${ms(Math.max(...delays))}`);
}

/** Claims one after the other, without and with open pages, in turns. */
async function crowded(): Promise<void> {
  const served = await serve(join(folder, "crowded"));
  const calls = await poster(served);
  const [alone, watched]: [number[], number[]] = [[], []];
  let pages = 0;
  for (let round = 0; round < 4; round += 1) {
    const open =
      round % 2 === 0 ? [] : await Promise.all(Array.from({ length: viewers }, () => openViewer(served.url)));
    for (let n = 0; n < claims; n += 1) {
      const task = `crowded-${round}-${n}`;
      await calls.enqueue(task);
      const started = performance.now();
      await calls.claim(task);
      (round % 2 === 0 ? alone : watched).push(performance.now() - started);
      // a claim every 20 ms is a busy day of a large farm
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const viewer of open) {
      pages += viewer.pages();
      viewer.close();
    }
  }
  await calls.close();
  await served.stop();
  const ratio = median(watched) / median(alone);
  console.log(
    `claim ${ms(median(alone))}, with ${viewers} open pages ${ms(median(watched))}: ${ratio.toFixed(2)} x (${pages} pages drawn or shared)`,
  );
}

/** The page, its filters and `status` (process start included) with 10 and with many finished handoffs, in turns. */
async function grown(): Promise<void> {
  const sizes = await Promise.all([10, handoffs].map(filled));
  for (const path of ["/", "/?show=open", "/?show=done"]) {
    const ask = async ({ served }: Filled): Promise<void> => {
      await fetch(`${served.url}${path}`).then((answer) => answer.text());
    };
    await tell(path, sizes, { ask, times: 40 });
  }
  const ask = async ({ data }: Filled): Promise<void> => {
    execFileSync(process.execPath, [BIN, "status", "--data", data]);
  };
  await tell("render-handoff status", sizes, { ask, times: 9 });
  for (const { served } of sizes) await served.stop();
}

interface Filled {
  readonly count: number;
  readonly data: string;
  readonly served: Served;
}

async function filled(count: number): Promise<Filled> {
  const data = join(folder, `grown-${count}`);
  await mkdir(data, { mode: 0o700 });
  await fill(data, count);
  return { count, data, served: await serve(data) };
}

async function tell(
  what: string,
  sizes: readonly Filled[],
  { ask, times }: { ask: (one: Filled) => Promise<void>; times: number },
): Promise<void> {
  const took = sizes.map((): number[] => []);
  for (let n = 0; n < times; n += 1)
    for (const [index, one] of sizes.entries()) {
      const started = performance.now();
      await ask(one);
      took[index]?.push(performance.now() - started);
    }
  const [few = 0, many = 0] = took.map(median);
  console.log(
    `${what} with 10 finished handoffs ${ms(few)}, with ${handoffs} ${ms(many)}: ${(many / few).toFixed(2)} x`,
  );
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
