import { expect, test } from "vitest";
import { listOutput } from "../../src/blender/list-output.ts";
import { type RenderOptions, renderFrames } from "../../src/blender/render.ts";
import { canonicalFrame } from "../../src/frame/canonical-frame.ts";
import { attempt, realBlender } from "../support/blender.ts";
import { sceneVariants } from "./blender/variants.ts";

const variant = sceneVariants();

/** The bytes that a bundle would hold, and those that Blender wrote. */
async function frames(particular: Partial<RenderOptions>) {
  const options = await attempt(await realBlender(), { frames: [205, 206], ...particular });
  expect(await renderFrames(options)).toMatchObject({ reason: null });
  const listed = await listOutput({
    folder: options.outputFolder,
    frames: [205, 206],
    frameBytes: 10_000_000,
  });
  const raw = await Promise.all(listed.map((frame) => frame.read()));
  return { raw: Buffer.concat(raw), canonical: Buffer.concat(raw.map(canonicalFrame)) };
}

test.each(["plain", "odd_but_right", "denoise_setting"])(
  "%s, rendered twice with other threads in another containment: the same canonical bytes",
  async (name) => {
    const extra = [{ path: "cycles.use_denoising" as const, value: false }];
    const { settings } = await attempt(await realBlender());
    const scene = { sceneFolder: variant(name), settings: { ...settings, extra } };
    const first = await frames({ ...scene, threads: 1, containment: "bwrap" });
    const second = await frames({ ...scene, threads: 2, containment: "process-group" });
    expect(second.canonical.equals(first.canonical)).toBe(true);
    expect(first.canonical.includes("tEXt")).toBe(false);
    expect(first.raw.includes("tEXt")).toBe(true);
  },
);
