// `npm run bench:join [RUNS] [help | frames | tiny | many]`: the built commands beside other programs on six 1920 x 1080
// RGBA frames in two bundles. Prints Markdown; medians of interleaved runs, process start included, ratios within
// this run.
// Debian: unzip pngcheck python3-pil gcc libpng-dev. sharp: cd bench/join && npm ci --ignore-scripts.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { iend, ihdr, pngOf } from "../../fixtures/evidence-maker/png.ts";
import { RAW_BYTES, type Surface, writeEvidence } from "./evidence.ts";
import { manyHandoffs } from "./many.ts";
import { compare, print } from "./measure.ts";
import { decodingSpeeds } from "./speeds.ts";

const [RUNS, ONLY] = [Number(process.argv[2] ?? 9), process.argv[3]];
const SURFACES = ["noisy", "smooth"] as const satisfies readonly Surface[];
const NODE = process.execPath;
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

const root = mkdtempSync(join(tmpdir(), "bench-join-"));
const setup = { runs: RUNS, env: { ...process.env, XDG_CACHE_HOME: join(root, "cache") } };

/** A frame of 16384 x 16384 RGBA at 16 bits whose image data is one byte. */
function tinyPng(): Buffer {
  const header = ihdr({ width: 16_384, height: 16_384, bitDepth: 16, colorType: 6, rows: Buffer.alloc(0) });
  return pngOf([header, { type: "IDAT", data: Buffer.from([0x78]) }, iend()]);
}

function help(): void {
  const commands = {
    "node -e 0": [NODE, "-e", "0"],
    "join --help": [NODE, JOIN, "--help"],
    "render-child --help": [NODE, CHILD, "--help"],
  };
  print("Help beside an empty Node process", compare(commands, setup), "node -e 0");
}

async function sixFrames(surface: Surface): Promise<void> {
  const folder = join(root, surface);
  const frames = writeEvidence(folder, join(root, `frames-${surface}`), surface);
  const bundles = ["a", "b"].map((slot) => join(folder, "slots", slot, "bundle.zip"));
  const bytes = frames.reduce((sum, path) => sum + readFileSync(path).length, 0);
  const script = `unzip -tq ${bundles[0]} && unzip -tq ${bundles[1]} && pngcheck -q ${frames.join(" ")}`;
  const commands = {
    "unzip -tq, pngcheck -q": ["sh", "-c", script],
    "zipfile and Pillow": ["/usr/bin/python3", "-c", PILLOW, ...bundles],
    "join verify": [NODE, JOIN, "verify", folder],
  };
  const title = `Six ${surface} frames, ${(bytes / 1e6).toFixed(1)} MB`;
  print(title, compare(commands, setup), "unzip -tq, pngcheck -q");
  console.log(`\nOne frame (${(RAW_BYTES / 1e6).toFixed(1)} MB of samples), ${surface}\n`);
  console.log(await decodingSpeeds(frames, root));
}

function tiny(): void {
  const path = join(root, "tiny.png");
  writeFileSync(path, tinyPng());
  const commands = { "node -e 0": [NODE, "-e", "0"], "join inspect": [NODE, JOIN, "inspect", path] };
  print("58 bytes that call themselves 2 GB of pixels, refused", compare(commands, setup), "node -e 0");
}

const PARTS: Readonly<Record<string, () => void | Promise<void>>> = {
  help,
  frames: async () => {
    for (const surface of SURFACES) await sixFrames(surface);
  },
  tiny,
  many: () => {
    for (const surface of SURFACES) manyHandoffs(surface, { ...setup, root, verify: [NODE, JOIN, "verify"] });
  },
};

try {
  console.log(
    `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}, ${RUNS} runs`,
  );
  for (const [name, part] of Object.entries(PARTS)) if (ONLY === undefined || ONLY === name) await part();
} finally {
  rmSync(root, { recursive: true, force: true });
}
