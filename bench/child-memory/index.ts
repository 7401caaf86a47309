// Highest resident size of render-child by itself (VmHWM of its process, Blender not counted) while it hands in
// bundles of growing size, held against 120 MB and 2.5 times the decoded size of one frame.
// Usage: npm run bench:child-memory [-- --rounds 3]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gatewayForBench, measuredChild, putHeavyJob } from "./play.ts";

const MB = 1_000_000;
/** Frames and side: the bundles are about frames x width x height x 3 bytes. */
const CASES = [
  { frames: 3, width: 64, height: 36 },
  { frames: 3, width: 1_920, height: 1_080 },
  { frames: 41, width: 1_920, height: 1_080 },
  { frames: 256, width: 720, height: 480 },
  { frames: 3, width: 6_000, height: 4_700 },
];

const { values } = parseArgs({ options: { rounds: { type: "string", default: "1" } } });
const root = await mkdtemp(join(tmpdir(), "render-handoff-bench-"));
let missed = 0;
try {
  const gateway = await gatewayForBench(join(root, "gateway"));
  try {
    console.log(
      "| frames | bundle MB | one frame decoded MB | peak MB | allowed MB |\n| --- | ---: | ---: | ---: | ---: |",
    );
    for (const [index, shape] of CASES.entries()) {
      const peaks: number[] = [];
      let bundleBytes = 0;
      for (let round = 1; round <= Number(values.rounds); round += 1) {
        const job = await putHeavyJob(gateway, { ...shape, jobId: `case-${index}-${round}` });
        const child = await measuredChild(gateway, { job, root });
        peaks.push(child.peakBytes);
        bundleBytes = child.bundleBytes;
      }
      const decoded = shape.width * shape.height * 3;
      const allowed = 120 * MB + 2.5 * decoded;
      const peak = peaks.toSorted((left, right) => left - right)[Math.floor(peaks.length / 2)] ?? 0;
      if (peak > allowed) missed += 1;
      const cells = [bundleBytes, decoded, peak, allowed].map((bytes) => (bytes / MB).toFixed(1));
      console.log(`| ${shape.frames} of ${shape.width} x ${shape.height} | ${cells.join(" | ")} |`);
    }
  } finally {
    await gateway.stop();
  }
} finally {
  await rm(root, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
