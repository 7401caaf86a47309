import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bwrapCommand } from "../../../src/blender/containment/bwrap.ts";
import type { Launch } from "../../../src/blender/containment/command.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const launch = (particular: Partial<Launch> = {}): Launch => ({
  executable: "/usr/bin/blender",
  sceneFolder: "/home/somebody/scene",
  outputFolder: "/runs/1/output",
  runFolder: "/runs/1",
  device: "CPU",
  marker: "the-marker",
  arguments: (seen) => [seen.scene, seen.output, seen.facts, seen.scripts],
  ...particular,
});
const text = (value: Partial<Launch> = {}): string => bwrapCommand(launch(value)).args.join(" ");

test("Blender is told fixed paths, none of the machine's", () => {
  const { args } = bwrapCommand(launch());
  expect(args.slice(args.indexOf("--") + 1)).toEqual([
    "/usr/bin/blender",
    "/handoff/scene",
    "/handoff/output",
    "/handoff/facts",
    "/handoff/scripts",
  ]);
});

test("the scene is bound read-only, and of the run folder only what Blender needs", () => {
  expect(text()).toContain("--ro-bind /home/somebody/scene /handoff/scene");
  expect(text()).not.toContain("--bind /runs/1 ");
});

test("the wrapper's own environment is as bare as Blender's, but for the marker", () => {
  expect(bwrapCommand(launch()).env).toEqual({
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C",
    RENDER_HANDOFF_MARKER: "the-marker",
  });
});

test("device nodes are bound only for a job that asks for a GPU", () => {
  expect(text()).not.toContain("--dev-bind");
});

test("an official archive brings its folder in, a single executable brings nothing but itself", async () => {
  const folder = await temporaryFolder();
  const executable = join(folder, "blender");
  await writeFile(executable, "");
  await chmod(executable, 0o755);
  expect(text({ executable })).toContain(`--ro-bind ${executable} ${executable}`);
  await mkdir(join(folder, "4.3", "scripts"), { recursive: true });
  expect(text({ executable })).toContain(`--ro-bind ${folder} ${folder}`);
});
