// Gate and full decode of one frame beside pngjs: node bench/frame.ts [FILE.png]. Prints a table of medians.
import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { PNG } from "pngjs";
import { checkFrame, type FrameSpec } from "../src/frame/check-frame.ts";
import { buildPng, filterRows, GOOD_HEADER, pngChunk } from "../test/support/png-build.ts";

const RUNS = 9;
const WIDTH = 1_920;
const HEIGHT = 1_080;

/** A smooth picture with grain, as a path tracer leaves it, in one filter type for all rows. */
function picture(colorType: 0 | 2 | 6, bitDepth: 8 | 16, filter: number): Buffer {
  const header = { ...GOOD_HEADER, width: WIDTH, height: HEIGHT, colorType, bitDepth };
  const channels = { 0: 1, 2: 3, 6: 4 }[colorType];
  const rowBytes = (WIDTH * channels * bitDepth) / 8;
  let seed = 1;
  const pixels = Buffer.alloc(rowBytes * HEIGHT);
  for (let i = 0; i < pixels.length; i += 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    pixels[i] = (i % rowBytes) / 40 + i / rowBytes / 8 + ((seed >>> 16) & 7);
  }
  const stream = deflateSync(filterRows(header, pixels, [filter]), { level: 1 });
  return buildPng({ header, data: [pngChunk("IDAT", stream)] });
}

function medianMs(work: () => void): number {
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return times.sort((left, right) => left - right)[Math.floor(RUNS / 2)] ?? 0;
}

function measure(name: string, bytes: Buffer): Record<string, string | number> {
  const start = performance.now();
  const verdict = checkFrame(bytes, { expect: null });
  const first = performance.now() - start;
  if (!verdict.ok) throw new Error(`${name}: ${verdict.faults[0]?.code}`);
  const spec: FrameSpec = verdict.facts;
  const raw = (spec.width * spec.height * { 0: 1, 2: 3, 6: 4 }[spec.colorType] * spec.bitDepth) / 8;
  const gate = medianMs(() => checkFrame(bytes, { expect: null }));
  const pngjs = medianMs(() => PNG.sync.read(bytes, { skipRescale: true }));
  return {
    picture: name,
    "file MB": (bytes.length / 1e6).toFixed(1),
    "first ms": first.toFixed(0),
    "gate ms": gate.toFixed(0),
    "pixels MB/s": (raw / 1e3 / gate).toFixed(0),
    "pngjs ms": pngjs.toFixed(0),
    "gate : pngjs": (gate / pngjs).toFixed(2),
  };
}

const [path] = process.argv.slice(2);
const FILTERS = ["None", "Sub", "Up", "Average", "Paeth"];
console.table(
  path !== undefined
    ? [measure(path, readFileSync(path))]
    : [
        ...FILTERS.map((name, filter) => measure(`RGBA 8, ${name}`, picture(6, 8, filter))),
        measure("RGB 8, Paeth", picture(2, 8, 4)),
        measure("RGBA 16, Paeth", picture(6, 16, 4)),
        measure("grey 8, Paeth", picture(0, 8, 4)),
      ],
);
