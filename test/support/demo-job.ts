import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "../../contracts/documents/job.ts";
import { makeDemoScene } from "../../src/blender/make-demo-scene.ts";
import { systemClock } from "../../src/core/clock.ts";
import { type SubmittedScene, submitScene } from "../../src/submit/submit-scene.ts";
import { adminClient } from "./admin-client.ts";
import { realBlender } from "./blender.ts";
import type { TestGateway } from "./gateway.ts";
import { temporaryFolder } from "./temporary.ts";

/** Makes the demo scene with Blender and submits frames 205-208 of it: two for each slot. */
export async function submitDemoJob(
  gateway: TestGateway,
  scene: {
    texture: string | null;
    remove?: boolean;
    width?: number;
    height?: number;
    limits?: Partial<Job["limits"]>;
  },
): Promise<SubmittedScene> {
  const top = await temporaryFolder();
  const folders = { scene: join(top, "scene"), make: join(top, "make"), work: join(top, "work") };
  for (const folder of Object.values(folders)) await mkdir(folder);
  const name = await makeDemoScene({
    identity: await realBlender(),
    containment: "bwrap",
    folder: folders.scene,
    width: scene.width ?? 64,
    height: scene.height ?? 36,
    samples: 2,
    texture: scene.texture,
    runFolder: folders.make,
    signal: new AbortController().signal,
    marker: `test-${process.pid}-${systemClock.uuid()}`,
    clock: systemClock,
  });
  if (scene.remove === true && scene.texture !== null) await rm(join(folders.scene, scene.texture));
  const client = adminClient(gateway);
  return submitScene({
    client,
    scene: join(folders.scene, name),
    sceneRoot: null,
    frames: { first: 205, last: 208 },
    jobId: null,
    blender: null,
    versionsFolder: null,
    workFolder: folders.work,
    settings: {
      engine: null,
      size: null,
      samples: null,
      seed: 0,
      device: "CPU",
      output: { format: "PNG", color_mode: "RGBA", bit_depth: 8 },
      allowScripts: false,
      extra: [],
    },
    policy: null,
    limits: scene.limits ?? {},
    allowMissing: false,
    trustScenes: false,
    signal: new AbortController().signal,
    clock: systemClock,
  });
}
