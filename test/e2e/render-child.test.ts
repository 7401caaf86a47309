import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SlotResult } from "../../contracts/documents/slot-result.ts";
import { SubmitRequest } from "../../contracts/wire/queue.ts";
import { makeDemoScene } from "../../src/blender/make-demo-scene.ts";
import { systemClock } from "../../src/core/clock.ts";
import { runChild } from "../../src/render-child/run.ts";
import { type SubmittedScene, submitScene } from "../../src/submit/submit-scene.ts";
import { adminClient } from "../support/admin-client.ts";
import { realBlender } from "../support/blender.ts";
import { childOptions } from "../support/child.ts";
import { codeOfPromise } from "../support/code-of.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** Makes a small scene with Blender and submits it. */
async function submitted(
  gateway: TestGateway,
  scene: { texture: string | null; remove?: boolean },
): Promise<SubmittedScene> {
  const top = await temporaryFolder();
  const folders = { scene: join(top, "scene"), make: join(top, "make"), work: join(top, "work") };
  for (const folder of Object.values(folders)) await mkdir(folder);
  const name = await makeDemoScene({
    identity: await realBlender(),
    containment: "bwrap",
    folder: folders.scene,
    width: 64,
    height: 36,
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
    limits: {},
    allowMissing: false,
    trustScenes: false,
    signal: new AbortController().signal,
    clock: systemClock,
  });
}

async function resultOf(gateway: TestGateway, taskId: string): Promise<SlotResult> {
  const request = SubmitRequest.parse((await gateway.call(`/q/request/${taskId}`)).json());
  return SlotResult.parse(request.result);
}

test("a .blend alone: two workers render it in bubblewrap, and every frame is another picture", async () => {
  const gateway = await startGateway();
  const { job } = await submitted(gateway, { texture: null });
  expect(job.scene.files).toHaveLength(1);
  const frames: string[] = [];
  for (const slot of ["a", "b"] as const) {
    const worker = await gateway.registerWorker(slot);
    const options = await childOptions(gateway, worker, { slot, blender: null, trustScenes: false });
    const result = await runChild(options);
    expect(result).toMatchObject({ outcome: "completed", reason: null });
    expect(await readdir(join(options.stateFolder, "runs"))).toEqual([]);
    const handedIn = await resultOf(gateway, `${job.job_id}.${slot}`);
    expect(handedIn.frames.map((frame) => frame.member)).toEqual(
      slot === "a" ? ["frame_0205.png", "frame_0206.png"] : ["frame_0207.png", "frame_0208.png"],
    );
    frames.push(...handedIn.frames.map((frame) => frame.pixels.sha256));
  }
  expect(new Set(frames).size).toBe(4);
});

test("a .blend with a texture beside it: the texture travels and its absence is refused early", async () => {
  const gateway = await startGateway();
  const { job } = await submitted(gateway, { texture: "ground.png" });
  expect(job.scene.files.map((file) => file.path)).toContain("ground.png");
  const worker = await gateway.registerWorker();
  const result = await runChild(await childOptions(gateway, worker, { blender: null, trustScenes: false }));
  expect(result).toMatchObject({ outcome: "completed", reason: null });
  expect(await codeOfPromise(submitted(gateway, { texture: "ground.png", remove: true }))).toBe(
    "RENDER_SCENE_INCOMPLETE",
  );
});
