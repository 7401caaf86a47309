import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { CONTAINMENTS } from "../../../contracts/documents/policy.ts";
import { detectContainments } from "../../blender/containment/detect.ts";
import { planContainment } from "../../blender/containment/plan.ts";
import { identifyBlender } from "../../blender/identify.ts";
import { makeDemoScene } from "../../blender/make-demo-scene.ts";
import type { CliContext } from "../context.ts";
import type { DemoFlags } from "../flags/demo.ts";

/** Writes the demo's scene; the code that makes it is ours, so any containment will do. */
export async function makeScene(flags: DemoFlags, path: string, context: CliContext): Promise<void> {
  const { clock, env, signal } = context;
  const searchPath = env["PATH"] === undefined ? {} : { searchPath: env["PATH"] };
  const identity = await identifyBlender({
    path: flags.blender ?? null,
    cacheFolder: null,
    clock,
    ...searchPath,
  });
  const { containment } = planContainment({
    report: await detectContainments(clock),
    allowed: CONTAINMENTS,
    trustScenes: true,
    jobScripts: false,
    workerScripts: false,
  });
  await mkdir(dirname(path), { recursive: true });
  const runFolder = await mkdtemp(join(tmpdir(), "render-handoff-scene-"));
  try {
    await makeDemoScene({
      identity,
      containment,
      folder: dirname(path),
      name: basename(path),
      runFolder,
      signal,
      marker: `render-handoff-${clock.uuid()}`,
      clock,
    });
  } finally {
    await rm(runFolder, { recursive: true, force: true });
  }
}
