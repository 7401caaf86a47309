// `npm run bench:join [RUNS]`: the built commands beside other programs on six 1920 x 1080 RGBA frames in two
// bundles. Prints Markdown; medians of interleaved runs, process start included, ratios within this run.
// Debian: unzip pngcheck python3-pil gcc libpng-dev. sharp: cd bench/join && npm ci --ignore-scripts.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { iend, ihdr, pngOf } from "../../fixtures/evidence-maker/png.ts";
import { RAW_BYTES, type Surface, writeEvidence } from "./evidence.ts";
import { decodingSpeeds } from "./speeds.ts";

const RUNS = Number(process.argv[2] ?? 9);
const HANDOFFS = 100;
const JOIN = join(import.meta.dirname, "../../dist/src/cli/bin/join.js");
const CHILD = join(import.meta.dirname, "../../dist/src/cli/bin/render-child.js");
const PILLOW = `
import io, sys, zipfile
from PIL import Image
for path in sys.argv[1:]:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            data = archive.read(name)
            if name.endswith(".png"):
                Image.open(io.BytesIO(data)).load()
`;
/** Runs a command and tells its time, processor time and peak memory: what Node does not tell of a child. */
const MEASURE = `
import json, resource, subprocess, sys, time
start = time.monotonic()
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([done.returncode, (time.monotonic() - start) * 1e3, (used.ru_utime + used.ru_stime) * 1e3, used.ru_maxrss / 1024]))
`;

type Command = readonly string[];
interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
  readonly megabytes: number;
}

const root = mkdtempSync(join(tmpdir(), "bench-join-"));
const env = { ...process.env, XDG_CACHE_HOME: join(root, "cache") };

function measure(command: Command): Cost {
  const run = spawnSync("/usr/bin/python3", ["-c", MEASURE, ...command], { env, encoding: "utf8" });
  const [exit, ms, cpuMs, megabytes] = JSON.parse(run.stdout);
  if (exit !== 0 && !command.includes("inspect"))
    throw new Error(`exit ${exit}: ${command.join(" ")}\n${run.stderr}`);
  return { ms, cpuMs, megabytes };
}

/** A frame of 16384 x 16384 RGBA at 16 bits whose image data is one byte. */
function tinyPng(): Buffer {
  const header = ihdr({ width: 16_384, height: 16_384, bitDepth: 16, colorType: 6, rows: Buffer.alloc(0) });
  return pngOf([header, { type: "IDAT", data: Buffer.from([0x78]) }, iend()]);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Medians of each; the runs take turns, so that a busy moment hits all. The first of each does not count. */
function compare(commands: Readonly<Record<string, Command>>, runs = RUNS): Record<string, Cost> {
  const costs = new Map<string, Cost[]>(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round <= runs; round += 1)
    for (const [name, command] of Object.entries(commands)) {
      const cost = measure(command);
      if (round > 0) costs.get(name)?.push(cost);
    }
  const of = (all: readonly Cost[], key: keyof Cost): number => median(all.map((one) => one[key]));
  return Object.fromEntries(
    [...costs].map(([name, all]) => [
      name,
      { ms: of(all, "ms"), cpuMs: of(all, "cpuMs"), megabytes: of(all, "megabytes") },
    ]),
  );
}

function print(title: string, costs: Record<string, Cost>, base: string): void {
  console.log(
    `\n${title}\n\n| | wall ms | ratio | processor ms | ratio | peak MB |\n| --- | ---: | ---: | ---: | ---: | ---: |`,
  );
  const whole = costs[base] ?? { ms: 1, cpuMs: 1 };
  for (const [name, { ms, cpuMs, megabytes }] of Object.entries(costs))
    console.log(
      `| ${[name, ms.toFixed(0), (ms / whole.ms).toFixed(2), cpuMs.toFixed(0), (cpuMs / whole.cpuMs).toFixed(2), megabytes.toFixed(0)].join(" | ")} |`,
    );
}

try {
  console.log(
    `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}, ${RUNS} runs`,
  );
  const node = process.execPath;
  print(
    "Help beside an empty Node process",
    compare({
      "node -e 0": [node, "-e", "0"],
      "join --help": [node, JOIN, "--help"],
      "render-child --help": [node, CHILD, "--help"],
    }),
    "node -e 0",
  );
  for (const surface of ["noisy", "smooth"] as const satisfies readonly Surface[]) {
    const folder = join(root, surface);
    const frames = writeEvidence(folder, join(root, `frames-${surface}`), surface);
    const bundles = ["a", "b"].map((slot) => join(folder, "slots", slot, "bundle.zip"));
    const bytes = frames.reduce((sum, path) => sum + readFileSync(path).length, 0);
    const script = `unzip -tq ${bundles[0]} && unzip -tq ${bundles[1]} && pngcheck -q ${frames.join(" ")}`;
    print(
      `Six ${surface} frames, ${(bytes / 1e6).toFixed(1)} MB`,
      compare({
        "unzip -tq, pngcheck -q": ["sh", "-c", script],
        "zipfile and Pillow": ["/usr/bin/python3", "-c", PILLOW, ...bundles],
        "join verify": [node, JOIN, "verify", folder],
      }),
      "unzip -tq, pngcheck -q",
    );
    console.log(`\nOne frame (${(RAW_BYTES / 1e6).toFixed(1)} MB of samples), ${surface}\n`);
    console.log(await decodingSpeeds(frames, root));
  }
  const tiny = join(root, "tiny.png");
  writeFileSync(tiny, tinyPng());
  print(
    "58 bytes that call themselves 2 GB of pixels, refused",
    compare({ "node -e 0": [node, "-e", "0"], "join inspect": [node, JOIN, "inspect", tiny] }),
    "node -e 0",
  );
  const folders = Array.from({ length: HANDOFFS }, (_, at) => join(root, "many", `${at}`));
  mkdirSync(join(root, "many"));
  for (const folder of folders) cpSync(join(root, "smooth"), folder, { recursive: true });
  const runs = Math.min(RUNS, 3);
  const ten = folders.slice(0, 10);
  const costs = compare(
    {
      "1 handoff": [node, JOIN, "verify", ...folders.slice(0, 1)],
      "10 handoffs": [node, JOIN, "verify", ...ten],
      "100 handoffs": [node, JOIN, "verify", ...folders],
    },
    runs,
  );
  print("Many handoffs in one run", costs, "1 handoff");
  const at = (name: string): Cost => costs[name] ?? { ms: 0, cpuMs: 0, megabytes: 0 };
  const perFrame =
    (at("100 handoffs").ms - at("10 handoffs").ms) / 540 / ((at("10 handoffs").ms - at("1 handoff").ms) / 54);
  console.log(`\nTime of a frame, 11th to 100th handoff beside 2nd to 10th: ${perFrame.toFixed(2)}`);
  console.log(
    `Peak memory, 600 frames beside 6: ${(at("100 handoffs").megabytes / at("1 handoff").megabytes).toFixed(2)}`,
  );
} finally {
  rmSync(root, { recursive: true, force: true });
}
