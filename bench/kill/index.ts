// From the order to end a Blender that ignores SIGTERM (with a grandchild in a session of its own that does too)
// to the proof that nothing of it lives, beyond the grace: in each containment that this machine offers.
// Usage: npm run bench:kill [-- --rounds 5]
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CONTAINMENTS, type Containment } from "../../contracts/documents/policy.ts";
import { LIMITS } from "../../contracts/limits.ts";
import { detectContainments } from "../../src/blender/containment/detect.ts";
import type { BlenderIdentity } from "../../src/blender/identify.ts";
import { renderFrames } from "../../src/blender/render.ts";
import { markedProcesses } from "../../src/blender/sweep.ts";
import { systemClock as clock } from "../../src/core/clock.ts";
import { fakeBlender, SETTINGS } from "../../test/support/blender.ts";

const GOAL_MS = 500;
const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });

/** Milliseconds from the abort to the answer that all is gone. */
async function killOnce(identity: BlenderIdentity, containment: Containment): Promise<number> {
  const root = await mkdtemp(join(tmpdir(), "render-handoff-bench-"));
  try {
    const [sceneFolder, outputFolder, runFolder] = ["scene", "output", "run"].map((name) => join(root, name));
    if (sceneFolder === undefined || outputFolder === undefined || runFolder === undefined) throw new Error();
    for (const folder of [sceneFolder, outputFolder, runFolder]) await mkdir(folder);
    const stop = new AbortController();
    const marker = `bench-${clock.uuid()}`;
    let startedMs = 0;
    const outcome = await renderFrames({
      ...{ identity, containment, sceneFolder, outputFolder, runFolder, marker, clock },
      ...{ main: "scene.blend", frames: [205], settings: SETTINGS, allowScripts: false, threads: 1 },
      watchdogMs: 60_000,
      signal: stop.signal,
      onProgress: () => {
        if (stop.signal.aborted) return;
        startedMs = clock.monotonicMs();
        stop.abort("INTERRUPTED");
      },
    });
    const tookMs = clock.monotonicMs() - startedMs;
    if (outcome.ended !== "killed" || outcome.proof !== "gone" || markedProcesses(marker).length > 0)
      throw new Error(`${containment}: ${JSON.stringify(outcome)}`);
    return tookMs;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const offered = await detectContainments(clock);
const identity = await fakeBlender("ignores-sigterm");
console.log(
  `grace ${LIMITS.killGraceMs} ms, goal: at most ${GOAL_MS} ms beyond it, ${values.rounds} rounds\n`,
);
console.log(
  "| containment | least ms | median ms | most ms | most beyond the grace ms |\n| --- | ---: | ---: | ---: | ---: |",
);
for (const containment of CONTAINMENTS) {
  if (!offered[containment].available) {
    console.log(`| ${containment} | not offered here | | | |`);
    continue;
  }
  const took: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1)
    took.push(await killOnce(identity, containment));
  took.sort((left, right) => left - right);
  const most = took.at(-1) ?? Infinity;
  const beyond = Math.max(0, most - LIMITS.killGraceMs);
  const cells = [took[0], took[Math.floor(took.length / 2)], most, beyond].map((ms) => (ms ?? 0).toFixed(0));
  console.log(`| ${containment} | ${cells.join(" | ")} |`);
  if (beyond > GOAL_MS) process.exitCode = 1;
}
