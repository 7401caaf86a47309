import { expect, test } from "vitest";
import {
  brokenJobRules,
  type Job,
  Job as JobSchema,
  ScenePath,
  STANDARD_LIMITS,
} from "../../../contracts/documents/job.ts";
import { frameName, framesOf } from "../../../contracts/names.ts";
import { sampleJob } from "../../support/gateway-job.ts";

const sha = "a".repeat(64);
const job = sampleJob();
const files = (...paths: string[]): Job["scene"]["files"] =>
  paths.map((path) => ({ path, sha256: sha, bytes: 1 }));

test("the default handoff is a good job", () => {
  expect(JobSchema.safeParse(job).success).toBe(true);
  expect(brokenJobRules(job)).toEqual([]);
});

const bad: [string, Job][] = [
  [
    "a reversed slot",
    {
      ...job,
      slots: [
        { id: "a", first: 205, last: 207 },
        { id: "b", first: 208, last: 207 },
      ],
    },
  ],
  [
    "a gap between the slots",
    {
      ...job,
      slots: [
        { id: "a", first: 205, last: 206 },
        { id: "b", first: 208, last: 210 },
      ],
    },
  ],
  [
    "overlapping slots",
    {
      ...job,
      slots: [
        { id: "a", first: 205, last: 208 },
        { id: "b", first: 208, last: 210 },
      ],
    },
  ],
  ["a main file that is not listed", { ...job, scene: { main: "x.blend", files: files("scene.blend") } }],
  ["a main file that is no .blend", { ...job, scene: { main: "x.py", files: files("x.py") } }],
  [
    "two paths that differ in case",
    { ...job, scene: { main: "scene.blend", files: files("scene.blend", "A.png", "a.png") } },
  ],
  [
    "a path that is file and folder",
    { ...job, scene: { main: "scene.blend", files: files("scene.blend", "t", "t/a.png") } },
  ],
  ["a scene over its limit", { ...job, limits: { ...STANDARD_LIMITS, scene_bytes: 9 } }],
  ["a sequence index beyond its count", { ...job, sequence: { id: "film", index: 2, count: 2 } }],
  [
    "a setting that stands twice",
    {
      ...job,
      render: {
        ...job.render,
        extra: [
          { path: "cycles.max_bounces", value: 1 },
          { path: "cycles.max_bounces", value: 2 },
        ],
      },
    },
  ],
];
test.each(bad)("%s breaks one rule", (_name, broken) => {
  expect(brokenJobRules(broken)).toHaveLength(1);
});

test.each([
  ["/abs.blend"],
  ["../up.blend"],
  ["a/../b"],
  ["a//b"],
  ["a/"],
  ["."],
  ["./a"],
  ["a\\b"],
  ["c:x"],
  ["a\u0000b"],
  [""],
])("%j is no scene path", (path) => {
  expect(ScenePath.safeParse(path).success).toBe(false);
});

test.each([["scene.blend"], ["textures/wood é.png"], ["a/.hidden"], ["..a/b"]])(
  "%j is a scene path",
  (path) => {
    expect(ScenePath.safeParse(path).success).toBe(true);
  },
);

test("frame names have four digits and grow when needed", () => {
  expect([5, 205, 12345].map(frameName)).toEqual(["frame_0005.png", "frame_0205.png", "frame_12345.png"]);
  expect(framesOf({ first: 205, last: 207 })).toEqual([205, 206, 207]);
});
