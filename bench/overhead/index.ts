// Wall time of the product against bare Blender on the same frames, as ratios in one run; whole processes,
// start included. Usage: npm run bench:overhead [-- --samples 64 --rounds 3]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Ended, own, run, serve } from "./own.ts";

/** Seconds: the product with one child and with two, and bare Blender on the same frames. */
interface Round {
  readonly alone: number;
  readonly bareThree: number;
  readonly pair: number;
  readonly bareSix: number;
  /** Two bare Blenders at once with three frames each: what two cores can give at best. */
  readonly barePair: number;
}

const { values } = parseArgs({
  options: { samples: { type: "string", default: "64" }, rounds: { type: "string", default: "3" } },
});
const root = await mkdtemp(join(tmpdir(), "render-handoff-bench-"));
const scene = join(root, "scene/bench.blend");
const data = join(root, "gateway");
const phases: Record<string, number>[] = [];

try {
  await own("render-handoff", ["demo", "--make-scene", scene]);
  const gateway = await serve(data);
  try {
    for (const name of ["a", "b"])
      await own("render-handoff", [
        "worker",
        "add",
        name,
        "--data",
        data,
        "--token-file",
        join(root, `${name}.token`),
      ]);
    await own("render-handoff", [
      "checker",
      "add",
      "c",
      "--data",
      data,
      "--token-file",
      join(root, "c.token"),
    ]);
    const rows: Round[] = [];
    for (let round = 1; round <= Number(values.rounds); round += 1)
      rows.push(await playRound(gateway.url, round));
    print(rows);
  } finally {
    await gateway.stop();
  }
} finally {
  await rm(root, { recursive: true, force: true });
}

/** A: one child with all threads against Blender with all; B: two children and join with one thread each against Blender with one. */
async function playRound(url: string, round: number): Promise<Round> {
  const bareThree = await bare("205,206,207", 0);
  await submit(`alone-${round}`);
  const alone = await child({ url, job: `alone-${round}`, slot: "a", threads: 0 });
  phases.push(JSON.parse(alone.stdout).timings_ms);
  const bareSix = await bare("205,206,207,208,209,210", 1);
  const together = performance.now();
  await Promise.all(["205,206,207", "208,209,210"].map((frames) => bare(frames, 1)));
  const barePair = (performance.now() - together) / 1_000;
  await submit(`pair-${round}`);
  const started = performance.now();
  await Promise.all(
    (["a", "b"] as const).map((slot) => child({ url, job: `pair-${round}`, slot, threads: 1 })),
  );
  await own("join", [
    "verify",
    "--job",
    `pair-${round}`,
    "--gateway",
    url,
    "--token-file",
    join(root, "c.token"),
    "--out",
    join(root, `out-${round}`),
  ]);
  return {
    alone: alone.seconds,
    bareThree: bareThree.seconds,
    pair: (performance.now() - started) / 1_000,
    bareSix: bareSix.seconds,
    barePair,
  };
}

function bare(frames: string, threads: number): Promise<Ended> {
  const samples = `import bpy; bpy.context.scene.cycles.samples = ${values.samples}`;
  const start = ["--background", "--factory-startup", "-noaudio", "--threads", String(threads), scene];
  const output = ["--render-output", join(root, "bare/frame_####"), "--render-format", "PNG"];
  return run("blender", [...start, "--python-expr", samples, ...output, "--render-frame", frames]);
}

/** Limits far beyond what the bench takes: it measures, it does not test the watchdog. */
function submit(job: string): Promise<Ended> {
  const wanted = ["--frames", "205-210", "--job", job, "--samples", values.samples];
  const limits = ["--watchdog-seconds", "3600", "--run-seconds", "7200", "--slot-seconds", "7200"];
  return own("render-handoff", ["submit", scene, ...wanted, ...limits, "--data", data]);
}

function child(of: { url: string; job: string; slot: "a" | "b"; threads: number }): Promise<Ended> {
  const { url, job, slot, threads } = of;
  const who = [
    "--gateway",
    url,
    "--token-file",
    join(root, `${slot}.token`),
    "--state",
    join(root, `state-${slot}`),
  ];
  return own("render-child", ["--slot", slot, "--job", job, ...who, "--threads", String(threads), "--json"]);
}

function print(rows: readonly Round[]): void {
  const line = (name: string, ours: number[], theirs: number[]): string => {
    const ratios = ours.map((value, index) => value / (theirs[index] ?? Number.NaN));
    return `| ${name} | ${fixed(median(ours))} | ${fixed(median(theirs))} | ${fixed(median(ratios))} | ${fixed(Math.min(...ratios))}-${fixed(Math.max(...ratios))} |`;
  };
  console.log(`samples ${values.samples}, ${rows.length} rounds, medians\n`);
  console.log("| case | product s | bare Blender s | ratio | spread |\n| --- | --- | --- | --- | --- |");
  console.log(
    line(
      "one child, three frames, all threads",
      rows.map((row) => row.alone),
      rows.map((row) => row.bareThree),
    ),
  );
  console.log(
    line(
      "two children at once and join, six frames, one thread each",
      rows.map((row) => row.pair),
      rows.map((row) => row.bareSix),
    ),
  );
  console.log(
    line(
      "two bare Blenders at once, three frames and one thread each",
      rows.map((row) => row.barePair),
      rows.map((row) => row.bareSix),
    ),
  );
  const names = Object.keys(phases[0] ?? {});
  console.log(
    `\n| phase of one child | ${names.join(" | ")} |\n| --- |${names.map(() => " --- |").join("")}`,
  );
  console.log(
    `| ms, median | ${names.map((name) => Math.round(median(phases.map((of) => of[name] ?? 0)))).join(" | ")} |`,
  );
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return middle.reduce((sum, one) => sum + one, 0) / middle.length;
}

function fixed(value: number): string {
  return value.toFixed(2);
}
