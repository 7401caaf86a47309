import { mkdir, readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RenderSettings } from "../../../contracts/documents/job.ts";
import type { Preflight } from "../../../src/blender/args.ts";
import { inspectScene } from "../../../src/blender/inspect-scene.ts";
import { renderFrames } from "../../../src/blender/render.ts";
import { attempt, fakeBlender, realBlender, SETTINGS } from "../../support/blender.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { sceneVariants } from "./variants.ts";

const variant = sceneVariants();

/** Renders two frames of a scene under bwrap; what it was refused for, and that nothing was written. */
async function refused(sceneFolder: string, settings: RenderSettings = SETTINGS, version?: string) {
  const real = await realBlender();
  const identity = version === undefined ? real : { ...real, version };
  const options = await attempt(identity, {
    sceneFolder,
    settings,
    containment: "bwrap",
    frames: [205, 206],
  });
  const outcome = await renderFrames(options);
  expect(await readdir(options.outputFolder)).toEqual([]);
  expect(outcome).toMatchObject({ ended: "finished", proof: "gone" });
  return { reason: outcome.reason, details: outcome.details.join("\n") };
}

test.each([
  ["missing_texture", "RENDER_SCENE_INCOMPLETE", "image Wood: //textures/gone.png"],
  ["sequence_with_a_gap", "RENDER_SCENE_INCOMPLETE", "image Film: //film_0206.png"],
  ["missing_font", "RENDER_SCENE_INCOMPLETE", "//a.ttf"],
  ["missing_volume", "RENDER_SCENE_INCOMPLETE", "volume Smoke: //smoke.vdb"],
  ["volume_sequence_with_a_gap", "RENDER_SCENE_INCOMPLETE", "volume Smoke: //smoke_0206.vdb"],
  ["missing_movie_clip", "RENDER_SCENE_INCOMPLETE", "movie clip Clip: //film_0001.png"],
  ["movie_clip_with_a_gap", "RENDER_SCENE_INCOMPLETE", "movie clip Clip: //film_0206.png"],
  ["missing_cache_file", "RENDER_SCENE_INCOMPLETE", "cache Cloth: //cloth_0001.abc"],
  ["cache_sequence_with_a_gap", "RENDER_SCENE_INCOMPLETE", "cache Cloth: //cloth_0206.abc"],
  ["missing_mesh_cache", "RENDER_SCENE_INCOMPLETE", "//baked.mdd"],
  ["missing_udim_tile", "RENDER_SCENE_INCOMPLETE", "image Wood: //wood.1002.png"],
  ["missing_sound", "RENDER_SCENE_INCOMPLETE", "//a.wav"],
  ["missing_library", "RENDER_SCENE_INCOMPLETE", "library library.blend: //library.blend"],
  ["escaping_texture", "RENDER_SCENE_ESCAPES", "image Wood: //../outside.png"],
  ["absolute_texture", "RENDER_SCENE_ESCAPES", "image Wood: /usr/share/somewhere/wood.png"],
  ["absolute_texture_named_by_a_text", "RENDER_SCENE_ESCAPES", "image Wood: /usr/share/somewhere/wood.png"],
  ["missing_texture_named_by_a_text", "RENDER_SCENE_INCOMPLETE", "image Wood: //textures/gone.png"],
  ["linked_texture", "RENDER_SCENE_ESCAPES", "image Wood: //link.png"],
  ["no_camera", "RENDER_SCENE_INVALID", "camera"],
  ["driver_that_needs_scripts", "RENDER_SCRIPTS_REFUSED", "driver of Cube.location"],
  ["registered_text", "RENDER_SCRIPTS_REFUSED", "text boot.py"],
  ["file_output_node", "RENDER_SCENE_WRITES_FILES", "File Output"],
  ["denoise_setting", "RENDER_DENOISER_MISSING", "render settings"],
  ["denoise_node", "RENDER_DENOISER_MISSING", "Denoise"],
  ["animated_samples", "RENDER_SETTINGS_REFUSED", "cycles.samples: animated"],
  ["samples_animated_by_a_strip", "RENDER_SETTINGS_REFUSED", "cycles.samples: animated"],
])("%s is refused before a frame is written: %s, %s is named", async (name, code, named) => {
  const { reason, details } = await refused(variant(name));
  expect(reason).toBe(code);
  expect(details).toContain(named);
});

test("a setting that Blender clamps is refused with what was asked and what was read", async () => {
  const extra = [{ path: "cycles.max_bounces" as const, value: 5_000 }];
  const { reason, details } = await refused(variant("plain"), { ...SETTINGS, extra });
  expect(reason).toBe("RENDER_SETTINGS_REFUSED");
  expect(details).toContain("cycles.max_bounces: asked 5000, read 1024");
});

test("a GPU that is not there is refused, where Blender would take the CPU and say nothing", async () => {
  expect((await refused(variant("plain"), { ...SETTINGS, device: "CUDA" })).reason).toBe(
    "RENDER_DEVICE_MISSING",
  );
});

test("an engine that this Blender does not have is refused", async () => {
  const settings: RenderSettings = { ...SETTINGS, engine: "EEVEE" };
  expect((await refused(variant("plain"), settings, "4.2.0")).reason).toBe("RENDER_ENGINE_UNSUPPORTED");
});

test.each<[string, (path: string) => Promise<void>]>([
  ["absent", async () => {}],
  ["no .blend", (path) => writeFile(path, "this is a letter")],
  ["empty", (path) => writeFile(path, "")],
  ["cut off", (path) => writeFile(path, "BLENDER-v304REND").then(() => truncate(path, 5_000))],
  ["saved by a Blender of the future", (path) => writeFile(path, "BLENDER-v999ENDB")],
])("a scene file that is %s is refused", async (_, make) => {
  const folder = await temporaryFolder();
  await make(join(folder, "scene.blend"));
  expect((await refused(folder)).reason).toBe("RENDER_SCENE_INVALID");
});

test("a library without the part that the scene borrows fails the run", async () => {
  const options = await attempt(await realBlender(), { sceneFolder: variant("library_without_its_part") });
  expect((await renderFrames(options)).reason).toBe("RENDER_SCENE_INCOMPLETE");
});

test("an exception in a render handler, which Blender ends with 0, fails the run", async () => {
  const options = await attempt(await realBlender(), {
    sceneFolder: variant("handler_that_raises"),
    containment: "bwrap",
    allowScripts: true,
  });
  const outcome = await renderFrames(options);
  expect(outcome).toMatchObject({ exitCode: 0, reason: "RENDER_LOG_ERROR" });
});

test("a disk that fills up while rendering has a code of its own", async () => {
  const options = await attempt(await fakeBlender("small-disk"), {
    sceneFolder: variant("plain"),
    settings: { ...SETTINGS, width: 320, height: 180 },
  });
  expect((await renderFrames(options)).reason).toBe("RENDER_DISK_FULL");
});

async function inspected(sceneFolder: string, preflight: Preflight | null = null) {
  const { identity, clock, marker, signal, runFolder } = await attempt(await realBlender());
  const folders = { sceneFolder, runFolder, main: "scene.blend", preflight };
  return inspectScene({
    ...folders,
    identity,
    clock,
    marker,
    signal,
    containment: "bwrap",
    watchdogMs: 60_000,
  });
}

test("an inspection tells what is missing and what escapes instead of refusing it", async () => {
  expect((await inspected(variant("missing_texture"))).facts.missing).toEqual([
    "image Wood: //textures/gone.png",
  ]);
  expect((await inspected(variant("escaping_texture"))).facts.escaping).toEqual([
    "image Wood: //../outside.png",
  ]);
  expect((await inspected(variant("driver_that_needs_scripts"))).facts.scripts).not.toEqual([]);
});

test("an inspection tells frames, size, format and engine, and lists the files that must travel", async () => {
  const { facts, engine } = await inspected(variant("library_without_its_part"));
  expect(engine).toBe("CYCLES");
  expect(facts).toMatchObject({ frame_start: 1, frame_end: 250, fps: 24, width: 1920, height: 1080 });
  expect(facts).toMatchObject({ camera: "Camera", denoise: false, files: ["library.blend"] });
});

test("an inspection of what is no scene fails", async () => {
  const folder = join(await temporaryFolder(), "scene");
  await mkdir(folder);
  await writeFile(join(folder, "scene.blend"), "no scene");
  await expect(inspected(folder)).rejects.toEqual(expect.objectContaining({ code: "RENDER_SCENE_INVALID" }));
});

const OPEN = { ...SETTINGS, engine: null, width: null, height: null, samples: null, seed: null };

test("a preflight refuses what a render would, with everything that is amiss, and renders nothing", async () => {
  const refusal = inspected(variant("much_amiss"), { settings: OPEN, frames: [205, 206] });
  await expect(refusal).rejects.toMatchObject({
    code: "RENDER_SCENE_ESCAPES",
    details: expect.arrayContaining([
      "RENDER_SCENE_ESCAPES: image Wood: //../outside.png",
      "RENDER_SCENE_INCOMPLETE: image Film: //film_0206.png",
      expect.stringMatching(/^RENDER_SCRIPTS_REFUSED: driver of Cube.location/),
      "RENDER_SCENE_WRITES_FILES: File Output",
      "RENDER_SCENE_INVALID: the scene has no camera",
      "RENDER_DENOISER_MISSING: render settings",
    ]),
  });
});

test("a preflight of a scene that can be rendered has nothing against it, whatever its own settings", async () => {
  const { facts, engine } = await inspected(variant("odd_but_right"), { settings: OPEN, frames: [205] });
  expect(engine).toBe("CYCLES");
  expect(facts).toMatchObject({ multiview: true, border: true, width: 480, height: 270 });
});

test("a library's missing part is refused by a preflight too", async () => {
  const library = inspected(variant("library_without_its_part"), { settings: OPEN, frames: [205] });
  await expect(library).rejects.toMatchObject({ code: "RENDER_SCENE_INCOMPLETE" });
});

test("a job that allows missing files is rendered without them: texture, library and its part", async () => {
  const extra = [{ path: "scene.allow_missing" as const, value: true }];
  for (const name of ["missing_texture", "missing_library", "library_without_its_part"]) {
    const settings = { ...SETTINGS, extra };
    const preflight = { settings, frames: [205] };
    const found = await inspected(variant(name), preflight);
    if (name !== "library_without_its_part") expect(found.facts.missing).toHaveLength(1);
    const options = await attempt(await realBlender(), {
      sceneFolder: variant(name),
      settings,
      frames: [205],
    });
    expect(await renderFrames(options)).toMatchObject({ ended: "finished", reason: null });
  }
});
