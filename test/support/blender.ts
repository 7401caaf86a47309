import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RenderSettings } from "../../contracts/documents/job.ts";
import type { SceneFacts } from "../../src/blender/facts.ts";
import { type BlenderIdentity, identifyBlender } from "../../src/blender/identify.ts";
import type { RenderOptions } from "../../src/blender/render.ts";
import { rulesOf } from "../../src/blender/versions/known.ts";
import type { SeriesRules } from "../../src/blender/versions/series.ts";
import { systemClock } from "../../src/core/clock.ts";
import { temporaryFolder } from "./temporary.ts";

/** Small and quick: what a test asks Blender for when the picture is not the point. */
export const SETTINGS: RenderSettings = {
  engine: "CYCLES",
  device: "CPU",
  width: 64,
  height: 36,
  output: { format: "PNG", color_mode: "RGBA", bit_depth: 8 },
  samples: 2,
  seed: 7,
  allow_scripts: false,
  extra: [],
};

/** What an ordinary scene says about itself. */
export const SCENE: SceneFacts = {
  engine: "CYCLES",
  frame_start: 1,
  frame_end: 250,
  fps: 24,
  width: 640,
  height: 360,
  file_format: "PNG",
  color_mode: "RGBA",
  color_depth: "8",
  film_transparent: false,
  samples: 8,
  seed: 0,
  device: "CPU",
  denoise: false,
  denoise_nodes: [],
  file_outputs: [],
  camera: "Camera",
  multiview: false,
  border: false,
  saved_by: "3.4.1",
  scripts: [],
  files: [],
  missing: [],
  escaping: [],
};

export function knownRules(version: string): SeriesRules {
  const rules = rulesOf(version);
  if (rules === undefined) throw new Error(`no rules for ${version}`);
  return rules;
}

/** One of the misbehaving programs of fixtures/blender, identified as a Blender. */
export const fakeBlender = (name: string): Promise<BlenderIdentity> =>
  identifyBlender({
    path: fileURLToPath(new URL(`../../fixtures/blender/${name}`, import.meta.url)),
    cacheFolder: null,
    clock: systemClock,
  });

/** The Blender of this machine; tests that need it fail where there is none. */
export function realBlender(): Promise<BlenderIdentity> {
  real ??= identifyBlender({ path: null, cacheFolder: null, clock: systemClock });
  return real;
}
let real: Promise<BlenderIdentity> | undefined;

let attempts = 0;

/** Options of one render attempt in fresh folders, with a marker of its own; a scene folder may be given. */
export async function attempt(
  identity: BlenderIdentity,
  particular: Partial<RenderOptions> = {},
): Promise<RenderOptions> {
  const top = await temporaryFolder();
  const folder = async (name: string) => {
    const path = join(top, name);
    await mkdir(path, { recursive: true });
    return path;
  };
  attempts += 1;
  return {
    identity,
    containment: "process-group",
    sceneFolder: await folder("scene"),
    main: "scene.blend",
    frames: [205, 206, 207],
    outputFolder: await folder("output"),
    runFolder: await folder("run"),
    settings: SETTINGS,
    allowScripts: false,
    threads: 2,
    watchdogMs: 120_000,
    signal: new AbortController().signal,
    marker: `test-${process.pid}-${attempts}-${systemClock.uuid()}`,
    clock: systemClock,
    ...particular,
  };
}
