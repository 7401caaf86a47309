import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { runChild } from "../../src/render-child/run.ts";
import { type SubmitOptions, submitScene } from "../../src/submit/submit-scene.ts";
import { adminClient } from "../support/admin-client.ts";
import { SETTINGS } from "../support/blender.ts";
import { childOptions } from "../support/child.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { sceneVariants } from "./blender/variants.ts";

const variant = sceneVariants();

async function submitOptions(gateway: TestGateway, scene: string): Promise<SubmitOptions> {
  const workFolder = join(await temporaryFolder(), "work");
  await mkdir(workFolder);
  return {
    client: adminClient(gateway),
    scene: join(variant(scene), "scene.blend"),
    sceneRoot: null,
    frames: { first: 205, last: 206 },
    jobId: "shot",
    blender: null,
    versionsFolder: null,
    workFolder,
    settings: {
      engine: null,
      size: { width: 64, height: 36 },
      samples: 2,
      seed: null,
      device: "CPU",
      output: SETTINGS.output,
      allowScripts: false,
      extra: [],
    },
    policy: null,
    limits: {},
    allowMissing: false,
    trustScenes: false,
    signal: new AbortController().signal,
    clock: systemClock,
  };
}

test("a missing texture is refused by submit before anything is sent; allowed, it is recorded and rendered", async () => {
  const gateway = await startGateway();
  const uploads: string[] = [];
  const options = await submitOptions(gateway, "missing_texture");
  const refused = submitScene({ ...options, onUpload: ({ path }) => uploads.push(path) });
  await expect(refused).rejects.toMatchObject({
    code: "RENDER_SCENE_INCOMPLETE",
    details: ["RENDER_SCENE_INCOMPLETE: image Wood: //textures/gone.png"],
  });
  expect(uploads).toEqual([]);
  expect((await gateway.call("/q/job/shot")).code).toBe("job_unknown");

  const { job } = await submitScene({ ...options, allowMissing: true });
  expect(job.render.extra).toEqual([{ path: "scene.allow_missing", value: true }]);
  const worker = await childOptions(gateway, await gateway.registerWorker(), { blender: null });
  expect(await runChild(worker)).toMatchObject({ outcome: "completed", reason: null });
});

test("a scene that asks for a denoiser that the pinned Blender has not is refused by submit", async () => {
  const gateway = await startGateway();
  const refused = submitScene(await submitOptions(gateway, "denoise_setting"));
  await expect(refused).rejects.toMatchObject({ code: "RENDER_DENOISER_MISSING" });
});
