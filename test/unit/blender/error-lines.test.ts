import { expect, test } from "vitest";
import { ERROR_LINES, errorOfLine } from "../../../src/blender/process/error-lines.ts";

const LINES: readonly [string, string][] = [
  ["Render error (No space left on device) cannot save: '/o/frame_0205.png'", "RENDER_DISK_FULL"],
  ["Error: Build without OpenImageDenoiser", "RENDER_DENOISER_MISSING"],
  ["Error: Failed to read blend file '/s/a.blend': Missing DNA block", "RENDER_SCENE_INVALID"],
  ["Error: Cannot read file '/s/a.blend': No such file or directory", "RENDER_SCENE_INVALID"],
  ["Unable to open a display", "RENDER_ENGINE_UNSUPPORTED"],
  ["Error: Cannot render, no camera", "RENDER_LOG_ERROR"],
  ["| table glued in front |Error: Engine 'X' not available for scene", "RENDER_LOG_ERROR"],
  ["Render error (Permission denied) cannot save: '/o/x.png'", "RENDER_LOG_ERROR"],
  ["CUDA error: Out of memory in cuMemAlloc", "RENDER_LOG_ERROR"],
  ["Fra:205 Mem:1.00M | Scene, ViewLayer | Cancel | Out of memory", "RENDER_LOG_ERROR"],
  ['Color management: display "X" not found', "RENDER_LOG_ERROR"],
  ["scripts disabled for \"/s/a.blend\", skipping 'driver'", "RENDER_LOG_ERROR"],
  ["Error in PyDriver: expression failed: len(str(frame))", "RENDER_LOG_ERROR"],
  ["Traceback (most recent call last):", "RENDER_LOG_ERROR"],
  ["LIB: Object: 'Cube' missing from '//lib.blend', parent '<direct>'", "RENDER_SCENE_INCOMPLETE"],
];

test.each(LINES)("%s", (line, code) => {
  expect(errorOfLine(line)).toBe(code);
});

test("every pattern has a line above that it is the first to match", () => {
  const first = LINES.map(([line]) => ERROR_LINES.find((known) => known.pattern.test(line)));
  expect(ERROR_LINES.filter((known) => !first.includes(known))).toEqual([]);
});

test.each([
  "Fra:205 Mem:10.41M (Peak 10.83M) | Time:00:00.05 | Scene, ViewLayer | Sample 1/4",
  "Saved: '/handoff/output/frame_0205.png'",
  "Error: Not freed memory blocks: 3, total unfreed memory 0.001 MB",
  "EGL Error (0x3001): EGL_NOT_INITIALIZED",
  "Blender quit",
])("an ordinary line is no error: %s", (line) => {
  expect(errorOfLine(line)).toBeNull();
});
