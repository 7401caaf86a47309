import { expect, test } from "vitest";
import type { SceneFacts } from "../../../src/blender/facts.ts";
import { judgeScene } from "../../../src/submit/judge-scene.ts";
import { SCENE } from "../../support/blender.ts";
import { codeOf } from "../../support/code-of.ts";

const WISH = { allowScripts: false, allowMissing: false, engine: "CYCLES" as const };

test("a good scene is not refused", () => {
  expect(codeOf(() => judgeScene(SCENE, WISH))).toBeNull();
});

test.each<[string, Partial<SceneFacts>]>([
  ["RENDER_SCENE_ESCAPES", { escaping: ["image /etc/x.png"] }],
  ["RENDER_SCENE_INCOMPLETE", { missing: ["image wood.png"] }],
  ["RENDER_SCENE_INVALID", { camera: null }],
  ["RENDER_SCRIPTS_REFUSED", { scripts: ["driver"] }],
  ["RENDER_SCENE_WRITES_FILES", { file_outputs: ["File Output"] }],
])("%s", (code, change) => {
  expect(codeOf(() => judgeScene({ ...SCENE, ...change }, WISH))).toBe(code);
});

test("an engine that is none of ours is refused unless another is asked for", () => {
  expect(codeOf(() => judgeScene(SCENE, { ...WISH, engine: null }))).toBe("RENDER_ENGINE_UNSUPPORTED");
});

test("scripts and missing files pass where they are allowed", () => {
  const scene = { ...SCENE, scripts: ["driver"], missing: ["image wood.png"] };
  expect(codeOf(() => judgeScene(scene, { ...WISH, allowScripts: true, allowMissing: true }))).toBeNull();
});
