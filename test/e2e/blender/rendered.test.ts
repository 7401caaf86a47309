import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CONTAINMENTS } from "../../../contracts/documents/policy.ts";
import { inspectScene } from "../../../src/blender/inspect-scene.ts";
import { listOutput } from "../../../src/blender/list-output.ts";
import { makeDemoScene } from "../../../src/blender/make-demo-scene.ts";
import { type RenderOptions, renderFrames } from "../../../src/blender/render.ts";
import { markedProcesses } from "../../../src/blender/sweep.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { attempt, realBlender, SETTINGS } from "../../support/blender.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { sceneVariants } from "./variants.ts";

const variant = sceneVariants();

interface Picture {
  readonly size: readonly [number, number];
  readonly depth: number;
  readonly colorType: number;
  readonly imageData: string;
  readonly text: readonly string[];
}

/** Header, text keywords and digest of the image data of a PNG that Blender wrote. */
function pictureOf(bytes: Buffer): Picture {
  const data: Buffer[] = [];
  const text: string[] = [];
  for (let at = 8; at < bytes.byteLength; at += 12 + bytes.readUInt32BE(at)) {
    const body = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    const kind = bytes.toString("latin1", at + 4, at + 8);
    if (kind === "IDAT") data.push(body);
    if (kind === "tEXt") text.push(body.toString("latin1").replace("\0", "="));
  }
  const size = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] as const;
  return {
    size,
    depth: bytes[24] ?? 0,
    colorType: bytes[25] ?? 0,
    imageData: sha256(Buffer.concat(data)),
    text,
  };
}

async function pictures(particular: Partial<RenderOptions>): Promise<Picture[]> {
  const options = await attempt(await realBlender(), particular);
  const outcome = await renderFrames(options);
  expect(outcome).toMatchObject({ ended: "finished", reason: null, details: [], proof: "gone" });
  const listed = await listOutput({
    folder: options.outputFolder,
    frames: options.frames,
    frameBytes: 10_000_000,
  });
  return Promise.all(listed.map(async (frame) => pictureOf(await frame.read())));
}

test("the demo scene has the same image data in every containment and with one thread or two", async () => {
  const sceneFolder = await temporaryFolder();
  const { identity, clock, marker, signal, runFolder } = await attempt(await realBlender());
  const made = {
    identity,
    clock,
    marker,
    signal,
    runFolder,
    folder: sceneFolder,
    containment: "bwrap" as const,
  };
  expect(await makeDemoScene({ ...made, texture: "tiles.png" })).toBe("scene.blend");
  expect((await readdir(sceneFolder)).sort()).toEqual(["scene.blend", "tiles.png"]);
  const { facts } = await inspectScene({
    ...made,
    sceneFolder,
    main: "scene.blend",
    preflight: null,
    watchdogMs: 60_000,
  });
  expect(facts).toMatchObject({ width: 640, height: 360, denoise: false, files: ["tiles.png"], missing: [] });

  const runs = [];
  for (const containment of CONTAINMENTS)
    for (const threads of [1, 2]) runs.push(await pictures({ sceneFolder, containment, threads }));
  const data = runs.map((run) => run.map((picture) => picture.imageData));
  expect(new Set(data.map(String)).size).toBe(1);
  expect(new Set(data[0]).size).toBe(3);
});

test("a demo scene that is made twice renders the same pictures", async () => {
  const made = async () => {
    const { identity, clock, marker, signal, runFolder } = await attempt(await realBlender());
    const folder = await temporaryFolder();
    await makeDemoScene({ identity, clock, marker, signal, runFolder, folder, containment: "process-group" });
    return (await pictures({ sceneFolder: folder, containment: "bwrap" })).map(
      (picture) => picture.imageData,
    );
  };
  expect(await made()).toEqual(await made());
});

test("whatever a scene says of names, sizes and formats, the job's settings are rendered", async () => {
  const got = await pictures({ sceneFolder: variant("odd_but_right"), containment: "bwrap" });
  for (const picture of got) expect(picture).toMatchObject({ size: [64, 36], depth: 8, colorType: 6 });
});

test("a view layer's own number of samples is not rendered, the job's is", async () => {
  const images = async (name: string) =>
    (await pictures({ sceneFolder: variant(name), frames: [205] })).map((picture) => picture.imageData);
  expect(await images("samples_of_a_view_layer")).toEqual(await images("plain"));
});

test.each([
  ["BW", 8, 0],
  ["RGB", 16, 2],
  ["RGBA", 16, 6],
] as const)("%s at %i bit is written as colour type %i", async (color_mode, bit_depth, colorType) => {
  const settings = { ...SETTINGS, output: { format: "PNG" as const, color_mode, bit_depth } };
  const [picture] = await pictures({ sceneFolder: variant("plain"), settings, frames: [205] });
  expect(picture).toMatchObject({ size: [64, 36], depth: bit_depth, colorType });
});

test("the only stamp is the frame's number: no path, host name or time", async () => {
  const got = await pictures({ sceneFolder: variant("odd_but_right"), frames: [205, 1206] });
  for (const [index, frame] of ["Frame=205", "Frame=1206"].entries()) {
    const text = got[index]?.text ?? [];
    expect(text.filter((entry) => !entry.startsWith("cycles."))).toEqual([frame]);
  }
});

test("the facts that are read back are the job's: version, device and every setting", async () => {
  const extra = [{ path: "cycles.max_bounces" as const, value: 3 }];
  const options = await attempt(await realBlender(), {
    sceneFolder: variant("odd_but_right"),
    settings: { ...SETTINGS, extra },
    frames: [205],
  });
  const { facts, peakRssBytes } = await renderFrames(options);
  expect(facts).toMatchObject({ version: options.identity.version, device: { class: "CPU" }, refusals: [] });
  expect(facts?.settings).toMatchObject({
    "render.engine": "CYCLES",
    "render.resolution_x": 64,
    "render.resolution_percentage": 100,
    "render.use_overwrite": true,
    "render.use_placeholder": false,
    "render.use_multiview": false,
    "render.use_border": false,
    "image_settings.file_format": "PNG",
    "cycles.samples": 2,
    "cycles.seed": 7,
    "cycles.time_limit": 0,
    "cycles.use_layer_samples": "IGNORE",
    "cycles.max_bounces": 3,
  });
  expect(peakRssBytes).toBeGreaterThan(20_000_000);
});

test("a job that turns denoising off overrules a scene that asks for it", async () => {
  const settings = { ...SETTINGS, extra: [{ path: "cycles.use_denoising" as const, value: false }] };
  expect(await pictures({ sceneFolder: variant("denoise_setting"), settings, frames: [205] })).toHaveLength(
    1,
  );
});

test("scripts run where job, worker and bubblewrap allow them", async () => {
  const options = { sceneFolder: variant("driver_that_needs_scripts"), containment: "bwrap" as const };
  expect(await pictures({ ...options, allowScripts: true, frames: [205] })).toHaveLength(1);
});

test.each(CONTAINMENTS)(
  "%s: the watchdog ends a real Blender in the middle of a frame",
  async (containment) => {
    const options = await attempt(await realBlender(), {
      containment,
      sceneFolder: variant("plain"),
      settings: { ...SETTINGS, width: 2_000, height: 2_000, samples: 100_000 },
      watchdogMs: 4_000,
    });
    const outcome = await renderFrames(options);
    expect(outcome).toMatchObject({ ended: "killed", reason: "RENDER_WATCHDOG", proof: "gone" });
    expect(markedProcesses(options.marker)).toEqual([]);
  },
);

test("the scene's folder is not written to, and the run's folders are the only ones used", async () => {
  const sceneFolder = variant("plain");
  const options = await attempt(await realBlender(), { sceneFolder, containment: "bwrap", frames: [205] });
  await mkdir(join(options.runFolder, "outbox"));
  await renderFrames(options);
  expect(await readdir(sceneFolder)).toEqual(["scene.blend"]);
  expect((await readdir(options.runFolder)).sort()).toEqual(["facts", "home", "outbox", "tmp"]);
  expect(JSON.parse(await readFile(join(options.runFolder, "facts", "facts.json"), "utf8"))).toBeTypeOf(
    "object",
  );
});
