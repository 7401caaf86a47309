import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { PNG } from "pngjs";
import { systemClock } from "../../src/core/clock.ts";
import { checkFrame } from "../../src/frame/check-frame.ts";
import { openDecoders } from "../../src/join/decode/open-decoders.ts";
import { inspectFile } from "../../src/join/inspect.ts";
import { RAW_BYTES } from "./evidence.ts";

const ROUNDS = 5;
const SOURCE = join(import.meta.dirname, "../../test/suites/corpus/libpng_rows.c");

/** Megabytes of samples a second: the gate with its full decode, pngjs, sharp and libpng; one thread and two. */
export async function decodingSpeeds(paths: readonly string[], folder: string): Promise<string> {
  const files = paths.map((path) => readFileSync(path));
  const gate = best(() => files.map((bytes) => checkFrame(bytes, { expect: null })));
  const pngjs = best(() => files.map((bytes) => PNG.sync.read(bytes, { skipRescale: true })));
  const program = join(folder, "libpng_rows");
  execFileSync("gcc", ["-O2", "-o", program, SOURCE, "-lpng"]);
  const libpng = best(() =>
    execFileSync(
      program,
      paths.flatMap((path) => [path, "/dev/null"]),
    ),
  );
  const sharp = await sharpSpeeds(files);
  const rows = [
    ["gate and decode, one thread", gate],
    ["gate and decode, one decoder thread", await decoders(paths, 1)],
    ["gate and decode, two decoder threads", await decoders(paths, 2)],
    ["pngjs, one thread", pngjs],
    ...sharp,
    ["libpng, one thread, with its process's start", libpng],
  ] satisfies (readonly [string, number])[];
  const lines = rows.map(([name, ms]) => {
    const speed = (RAW_BYTES * paths.length) / 1e3 / ms;
    return `| ${name} | ${(ms / paths.length).toFixed(1)} | ${speed.toFixed(0)} |`;
  });
  return ["| | ms a frame | MB/s |", "| --- | ---: | ---: |", ...lines].join("\n");
}

/** sharp's full decode, one thread and two; nothing where bench/join has no packages. */
async function sharpSpeeds(files: readonly Buffer[]): Promise<(readonly [string, number])[]> {
  const sharp = sharpHere();
  if (sharp === null) {
    console.error("sharp is not measured: `cd bench/join && npm ci --ignore-scripts` brings it.");
    return [];
  }
  const rows: (readonly [string, number])[] = [];
  for (const threads of [1, 2]) {
    sharp.concurrency(1);
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const start = performance.now();
      const queue = [...files];
      const work = async (): Promise<void> => {
        for (let file = queue.shift(); file !== undefined; file = queue.shift())
          await sharp(file).raw().toBuffer();
      };
      await Promise.all(Array.from({ length: threads }, work));
      if (round > 0) times.push(performance.now() - start);
    }
    const median = times.toSorted((left, right) => left - right)[ROUNDS >> 1] ?? 0;
    rows.push([`sharp, ${threads === 1 ? "one thread" : "two at a time"}`, median]);
  }
  return rows;
}

/** The part of sharp that is used here; a package of bench/join, which the project does not install. */
interface Sharp {
  (file: Buffer): { raw(): { toBuffer(): Promise<Buffer> } };
  concurrency(threads: number): void;
}

function sharpHere(): Sharp | null {
  try {
    const sharp: Sharp = createRequire(import.meta.url)("sharp");
    return sharp;
  } catch {
    return null;
  }
}

/** Milliseconds of the median round; a first one warms up. */
function best(work: () => unknown): number {
  const times = Array.from({ length: ROUNDS + 1 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return times.slice(1).toSorted((left, right) => left - right)[ROUNDS >> 1] ?? 0;
}

async function decoders(paths: readonly string[], threads: number): Promise<number> {
  const pool = openDecoders({ threads }, systemClock);
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const start = performance.now();
    await Promise.all(paths.map((path) => inspectFile({ path, frame: null, members: null }, pool)));
    if (round > 0) times.push(performance.now() - start);
  }
  await pool.close();
  return times.toSorted((left, right) => left - right)[ROUNDS >> 1] ?? 0;
}
