import { expect, test } from "vitest";
import { inspectArguments, renderArguments } from "../../../src/blender/args.ts";
import { rulesOf } from "../../../src/blender/versions/known.ts";
import { knownRules, SETTINGS } from "../../support/blender.ts";

const seen = { scene: "/s", output: "/o", facts: "/f", scripts: "/p" };
const request = {
  rules: knownRules("3.4.1"),
  main: "shots/a.blend",
  frames: [205, 206, 207],
  settings: SETTINGS,
  allowScripts: false,
  threads: 2,
};

test("the scene comes before the script, the exit code before the script, the output before the frames", () => {
  const args = renderArguments(request, seen);
  expect(args.slice(0, args.indexOf("--"))).toEqual([
    ...["--background", "--factory-startup", "--disable-autoexec", "-noaudio", "--threads", "2"],
    "/s/shots/a.blend",
    ...["--python-exit-code", "9", "--python", "/p/enforce.py"],
    ...["--render-output", "/o/frame_####", "--render-format", "PNG", "--use-extension", "1"],
    ...["--render-frame", "205,206,207"],
  ]);
});

test("one argument after -- carries the settings as JSON", () => {
  const args = renderArguments(request, seen);
  expect(args.slice(args.indexOf("--") + 1).map((text) => JSON.parse(text))).toEqual([
    {
      mode: "render",
      facts: "/f/facts.json",
      root: "/s",
      scene: "/s/shots/a.blend",
      rules: rulesOf("3.4.1"),
      scripts: false,
      frames: [205, 206, 207],
      settings: SETTINGS,
      stamps: [],
    },
  ]);
});

test("a keyword that is to be kept turns its own stamp on", () => {
  const args = renderArguments({ ...request, stamps: ["RenderTime", "Camera"] }, seen);
  expect(JSON.parse(args.at(-1) ?? "")).toMatchObject({
    stamps: ["use_stamp_render_time", "use_stamp_camera"],
  });
});

test("scripts are enabled only when the request allows them, and never for an inspection", () => {
  expect(renderArguments({ ...request, allowScripts: true }, seen)).toContain("--enable-autoexec");
  for (const preflight of [null, { settings: { ...SETTINGS, allow_scripts: true }, frames: [205] }]) {
    expect(inspectArguments({ ...request, preflight }, seen)).toContain("--disable-autoexec");
    expect(inspectArguments({ ...request, preflight }, seen)).not.toContain("--render-frame");
  }
});

test("ten thousand frames fit into one argument of the kernel's 128 KiB", () => {
  const frames = Array.from({ length: 10_000 }, (_, index) => 1_000_000 + index);
  const longest = Math.max(...renderArguments({ ...request, frames }, seen).map((text) => text.length));
  expect(longest).toBeLessThan(128 * 1024);
});
