import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { STANDARD_POLICY } from "../../contracts/documents/policy.ts";
import type { BlenderIdentity } from "../../src/blender/identify.ts";
import { sha256 } from "../../src/core/digest.ts";
import { canonicalBytes } from "../../src/core/json/canonical.ts";
import { SETTINGS } from "../support/blender.ts";
import type { TestGateway } from "../support/gateway.ts";
import { sampleJob } from "../support/gateway-job.ts";
import { IN_REACH, type Lie, runOfLie } from "../support/lying-blender.ts";
import { sceneVariants } from "./blender/variants.ts";

const variant = sceneVariants();

const putScene = (name: string) => async (blender: BlenderIdentity, gateway: TestGateway) => {
  const bytes = await readFile(join(variant(name), "scene.blend"));
  await gateway.call(`/q/blob/${sha256(bytes)}`, { method: "PUT", body: bytes });
  const job = sampleJob({
    job_id: "shot",
    scene: {
      main: "scene.blend",
      files: [{ path: "scene.blend", sha256: sha256(bytes), bytes: bytes.byteLength }],
    },
    blender: {
      version: blender.version,
      executables: [{ platform: blender.platform, sha256: blender.sha256 }],
    },
    render: SETTINGS,
    slots: [
      { id: "a", first: 205, last: 206 },
      { id: "b", first: 207, last: 208 },
    ],
    policy: { ...STANDARD_POLICY, ...IN_REACH.policy },
  });
  await gateway.call("/q/job", { method: "POST", body: canonicalBytes(job) });
};

/** Called as the child calls it but for one thing, the real Blender ends with 0 in each of these. */
const SCENE = "import bpy; s = bpy.context.scene; r = s.render; ";
const NO_FLAG = 'at = args.index("--python-exit-code"); del args[at : at + 2]';
const OTHER =
  "import bpy; s = bpy.data.scenes.new('Other'); s.camera = bpy.data.objects['Camera']; s.render.engine = 'CYCLES'; s.cycles.samples = 1; s.cycles.use_denoising = False; s.render.resolution_percentage = 10";
const LIKE_IT =
  "; s.render.resolution_x, s.render.resolution_y = 640, 360; s.render.image_settings.color_mode = 'RGBA'";
const CASES: [string, string, string, Lie][] = [
  ["-f abc renders nothing", "RENDER_LOG_ERROR", "not a number", { before: 'swap("--render-frame", "abc")' }],
  [
    "-f with a range backwards renders nothing",
    "RENDER_FRAME_MISSING",
    "frame_0205.png",
    { before: 'swap("--render-frame", "207..205")' },
  ],
  [
    "-f with a minus renders another frame",
    "RENDER_FRAME_UNEXPECTED",
    "frame_",
    { before: 'swap("--render-frame", "-5")' },
  ],
  [
    "a script that ends Blender renders nothing",
    "RENDER_FRAME_MISSING",
    "frame_0205.png",
    { inside: "import sys; sys.exit(0)" },
  ],
  [
    "-f before -o writes to the scene's own path",
    "RENDER_FRAME_MISSING",
    "elsewhere",
    {
      before:
        'put("--render-output", "--render-frame", "205"); at = args.index("--") - 2; del args[at : at + 2]',
    },
  ],
  [
    "JPEG bytes under a .png name",
    "RENDER_FRAME_INVALID",
    "PNG_SIGNATURE",
    {
      before:
        'swap("--render-format", "JPEG"); swap("--use-extension", "0"); swap("--render-output", out + "/frame_####.png")',
    },
  ],
  ["JPEG files", "RENDER_FRAME_UNEXPECTED", "frame_0205.jpg", { before: 'swap("--render-format", "JPEG")' }],
  [
    "an exception after the facts, without the flag",
    "RENDER_LOG_ERROR",
    "Traceback",
    { inside: "raise RuntimeError('angry')", before: NO_FLAG },
  ],
  [
    "the enforcing script is missing, without the flag",
    "RENDER_BLENDER_FAILED",
    "no facts",
    {
      before: `swap("--python", "/nonexistent.py"); ${NO_FLAG}`,
      // nothing holds the scene to the job's settings then: it would render in full
      inside: `${SCENE}r.resolution_percentage = 5; s.cycles.samples = 1`,
    },
  ],
  [
    "stereo adds suffixes",
    "RENDER_FRAME_UNEXPECTED",
    "frame_0205_L.png",
    { inside: `${SCENE}r.use_multiview = True` },
  ],
  [
    "border and crop make it smaller",
    "RENDER_FRAME_INVALID",
    "PNG_SIZE",
    { inside: `${SCENE}r.use_border = r.use_crop_to_border = True; r.border_max_x = 0.5` },
  ],
  [
    "another percentage makes it smaller",
    "RENDER_FRAME_INVALID",
    "PNG_SIZE",
    { inside: `${SCENE}r.resolution_percentage = 50` },
  ],
  [
    "another depth",
    "RENDER_FRAME_INVALID",
    "PNG_DEPTH_MISMATCH",
    { inside: `${SCENE}r.image_settings.color_depth = '16'` },
  ],
  [
    "overwrite off keeps a half file of before",
    "RENDER_FRAME_INVALID",
    "skipping existing frame",
    {
      inside: `${SCENE}r.use_overwrite = False`,
      before: 'open(out + "/frame_0205.png", "wb").write(bytes.fromhex("89504e470d0a1a0a0000000d49484452"))',
    },
  ],
  [
    "overwrite off keeps an empty file of before",
    "RENDER_FRAME_MISSING",
    "skipping existing frame",
    { inside: `${SCENE}r.use_overwrite = False`, before: 'open(out + "/frame_0205.png", "wb").close()' },
  ],
  [
    "another scene is rendered",
    "RENDER_FRAME_INVALID",
    "PNG_SIZE",
    { inside: OTHER, before: 'put("--render-output", "--scene", "Other")' },
  ],
  [
    "another scene of the same shape is rendered",
    "RENDER_FRAME_INVALID",
    "carries the stamp",
    { inside: OTHER + LIKE_IT, before: 'put("--render-output", "--scene", "Other")' },
  ],
];

test.each(CASES)("%s, with exit code 0: %s, the result names %s", async (name, code, named, lie) => {
  // that row's frame goes to the scene's own path, which lies beside it
  const scene = name.startsWith("-f before") ? "odd_but_right" : "plain";
  const { result, told, state } = await runOfLie("/usr/bin/blender", lie, putScene(scene));
  expect([result.outcome, result.reason], told).toEqual(["failed", code]);
  expect(`${result.message}\n${told}`).toContain(named);
  expect(state).toBe("ready");
});

test("an unknown scene name leaves the scene that was checked: its frames are handed in", async () => {
  const lie: Lie = { before: 'put("--render-output", "--scene", "Nope")' };
  const { result } = await runOfLie("/usr/bin/blender", lie, putScene("plain"));
  expect(result).toMatchObject({ outcome: "completed", reason: null });
});
