import { expect, test } from "vitest";
import type { SceneFacts } from "../../../src/blender/facts.ts";
import { judgeScene } from "../../../src/submit/judge-scene.ts";
import { codeOf } from "../../support/code-of.ts";

const GOOD: SceneFacts = {
  engine: "CYCLES",
  frame_start: 1,
  frame_end: 250,
  fps: 24,
  width: 64,
  height: 36,
  file_format: "PNG",
  color_mode: "RGBA",
  color_depth: "8",
  film_transparent: false,
  samples: 4,
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
const WISH = { allowScripts: false, allowMissing: false, engine: "CYCLES" as const };

test("a good scene is not refused", () => {
  expect(codeOf(() => judgeScene(GOOD, WISH))).toBeNull();
});

test.each<[string, Partial<SceneFacts>]>([
  ["RENDER_SCENE_ESCAPES", { escaping: ["image /etc/x.png"] }],
  ["RENDER_SCENE_INCOMPLETE", { missing: ["image wood.png"] }],
  ["RENDER_SCENE_INVALID", { camera: null }],
  ["RENDER_SCRIPTS_REFUSED", { scripts: ["driver"] }],
  ["RENDER_SCENE_WRITES_FILES", { file_outputs: ["File Output"] }],
])("%s", (code, change) => {
  expect(codeOf(() => judgeScene({ ...GOOD, ...change }, WISH))).toBe(code);
});

test("an engine that is none of ours is refused unless another is asked for", () => {
  expect(codeOf(() => judgeScene(GOOD, { ...WISH, engine: null }))).toBe("RENDER_ENGINE_UNSUPPORTED");
});

test("scripts and missing files pass where they are allowed", () => {
  const scene = { ...GOOD, scripts: ["driver"], missing: ["image wood.png"] };
  expect(codeOf(() => judgeScene(scene, { ...WISH, allowScripts: true, allowMissing: true }))).toBeNull();
});
