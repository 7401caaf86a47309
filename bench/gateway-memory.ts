// Resident memory of the gateway while blobs come in 8 streams, and the throughput of uploads beside `curl -T`
// into a bare Node.js server that hashes, writes and flushes. Usage: npm run bench:gateway-memory [-- --mib N]
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./queue/measure.ts";
import { serve } from "./queue/over-http.ts";

const MIB = 1_024 ** 2;
const STREAMS = 8;
const total = Number(process.argv[process.argv.indexOf("--mib") + 1]) || 1_024;
const each = Math.floor(total / STREAMS) * MIB;
const folder = await mkdtemp(join(tmpdir(), "render-handoff-bench-"));

/** A file of `each` bytes that differ from the other files'; its digest. */
async function makeFile(path: string, seed: number): Promise<string> {
  const handle = await open(path, "w");
  const hash = createHash("sha256");
  const block = Buffer.alloc(MIB, seed);
  for (let at = 0; at < each; at += MIB) {
    block.writeUInt32LE(at / MIB, 0);
    hash.update(block);
    await handle.write(block);
  }
  await handle.close();
  return hash.digest("hex");
}

/** `curl -T` of every file at the same time; MiB in a second. */
async function upload(urls: readonly string[], files: readonly string[], headers: readonly string[]) {
  const started = performance.now();
  const ended = urls.map(async (url, n) => {
    const flags = headers.flatMap((header) => ["-H", header]);
    const child = spawn("curl", ["-sS", "-f", "-T", files[n] ?? "", ...flags, "-H", "Expect:", url], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`curl ended with ${code}`);
  });
  await Promise.all(ended);
  return (urls.length * each) / MIB / ((performance.now() - started) / 1_000);
}

const BARE = `
import { createHash } from "node:crypto"; import { open } from "node:fs/promises"; import { createServer } from "node:http";
createServer(async (request, response) => {
  const handle = await open(process.argv[1] + request.url.replaceAll("/", "_"), "w"); const hash = createHash("sha256");
  for await (const chunk of request) { hash.update(chunk); await handle.write(chunk); }
  await handle.sync(); await handle.close(); response.end(hash.digest("hex"));
}).listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;

async function bare(files: readonly string[], round: number): Promise<number> {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", BARE, "--", join(folder, `bare${round}`)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const [line] = await once(child.stdout, "data");
  const urls = files.map((_, n) => `http://127.0.0.1:${String(line).trim()}/${n}`);
  const rate = await upload(urls, files, []);
  child.kill();
  await once(child, "close");
  return rate;
}

const residentMib = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;

async function ours(files: readonly string[], digests: readonly string[], round: number) {
  const served = await serve(join(folder, `data${round}`));
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(residentMib(served.pid)), 20);
  const urls = digests.map((digest) => `${served.url}/q/blob/${digest}`);
  const rate = await upload(urls, files, [`Authorization: Bearer ${served.adminToken}`]);
  clearInterval(timer);
  await served.stop();
  const quarter = Math.ceil(samples.length / 4);
  return {
    rate,
    early: Math.max(...samples.slice(0, quarter)),
    late: Math.max(...samples.slice(-quarter)),
    peak: Math.max(...samples),
  };
}

const files = Array.from({ length: STREAMS }, (_, n) => join(folder, `source${n}`));
const digests: string[] = [];
for (const [n, file] of files.entries()) digests.push(await makeFile(file, n + 1));
const rounds: { gateway: Awaited<ReturnType<typeof ours>>; server: number }[] = [];
for (let round = 0; round < 3; round += 1) {
  rounds.push({ gateway: await ours(files, digests, round), server: await bare(files, round) });
  await rm(join(folder, `data${round}`), { recursive: true });
}
await rm(folder, { recursive: true });
const gateway = median(rounds.map((round) => round.gateway.rate));
const server = median(rounds.map((round) => round.server));
const [early, late, peak] = (["early", "late", "peak"] as const).map((key) =>
  median(rounds.map((round) => round.gateway[key])).toFixed(0),
);
console.log(`| ${(STREAMS * each) / MIB} MiB in ${STREAMS} streams, median of 3 | measured | wanted |
| --- | --- | --- |
| gateway: resident, first quarter / last quarter / peak | ${early} / ${late} / ${peak} MiB | flat |
| gateway: upload | ${gateway.toFixed(0)} MiB/s | |
| bare Node.js server | ${server.toFixed(0)} MiB/s | |
| gateway : bare | ${(gateway / server).toFixed(2)} | 0.8 |`);
