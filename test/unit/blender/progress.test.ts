import { expect, test } from "vitest";
import { NO_PROGRESS, progressAfter } from "../../../src/blender/process/progress.ts";

test.each([
  [
    "3.4",
    "Fra:205 Mem:10.41M (Peak 10.83M) | Time:00:00.05 | Remaining:00:00.01 | Mem:1.25M, Peak:1.25M | Scene, ViewLayer | Sample 1/4",
    { frame: 205, sample: 1, samples: 4, framesDone: 0 },
  ],
  [
    "5.x",
    "00:03.579  render           | Fra: 1 | Remaining: 00:10.41 | Mem: 1039M | Sample 1/256",
    { frame: 1, sample: 1, samples: 256, framesDone: 0 },
  ],
  [
    "EEVEE",
    "Fra:1 Mem:42.69M (Peak 43.80M) | Time:00:09.48 | Rendering 26 / 64 samples",
    { frame: 1, sample: 26, samples: 64, framesDone: 0 },
  ],
  [
    "synchronising",
    "Fra:7 Mem:1.00M | Time:00:00.1 | Syncing Cube",
    { frame: 7, sample: null, samples: null, framesDone: 0 },
  ],
])("frame and sample are read from a line of %s", (_, line, expected) => {
  expect(progressAfter(NO_PROGRESS, line)).toEqual(expected);
});

test("a saved frame counts, quotes in its path and a table in front of it do not matter", () => {
  const lines = [
    "Saved: '/o/it's/frame_0205.png'",
    "| a | table |00:00.687  render | Saved: '/tmp/out/0001.png'",
  ];
  expect(lines.reduce(progressAfter, NO_PROGRESS).framesDone).toBe(2);
});

test("an unknown line changes nothing", () => {
  expect(progressAfter(NO_PROGRESS, "Fra:abc Sample x/y")).toBe(NO_PROGRESS);
});
