import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SlotResult } from "../../contracts/documents/slot-result.ts";
import { SubmitRequest } from "../../contracts/wire/queue.ts";
import { runChild } from "../../src/render-child/run.ts";
import { childOptions } from "../support/child.ts";
import { codeOfPromise } from "../support/code-of.ts";
import { submitDemoJob } from "../support/demo-job.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";

async function resultOf(gateway: TestGateway, taskId: string): Promise<SlotResult> {
  const request = SubmitRequest.parse((await gateway.call(`/q/request/${taskId}`)).json());
  return SlotResult.parse(request.result);
}

test("a .blend alone: two workers render it in bubblewrap, and every frame is another picture", async () => {
  const gateway = await startGateway();
  const { job } = await submitDemoJob(gateway, { texture: null });
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
  const { job } = await submitDemoJob(gateway, { texture: "ground.png" });
  expect(job.scene.files.map((file) => file.path)).toContain("ground.png");
  const worker = await gateway.registerWorker();
  const result = await runChild(await childOptions(gateway, worker, { blender: null, trustScenes: false }));
  expect(result).toMatchObject({ outcome: "completed", reason: null });
  expect(await codeOfPromise(submitDemoJob(gateway, { texture: "ground.png", remove: true }))).toBe(
    "RENDER_SCENE_INCOMPLETE",
  );
});
