import { execFileSync } from "node:child_process";
import { link, mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listOutput } from "../../../src/blender/list-output.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const FRAMES = [205, 206];
async function rendered(): Promise<string> {
  const folder = await temporaryFolder();
  for (const frame of FRAMES) await writeFile(join(folder, `frame_0${frame}.png`), `picture ${frame}`);
  return folder;
}
const listed = (folder: string) => listOutput({ folder, frames: FRAMES, frameBytes: 100 });
const refusal = (code: string) => expect.objectContaining({ code });

test("the expected frames are listed in order and read whole", async () => {
  const frames = await listed(await rendered());
  expect(frames.map(({ frame, name, bytes }) => ({ frame, name, bytes }))).toEqual([
    { frame: 205, name: "frame_0205.png", bytes: 11 },
    { frame: 206, name: "frame_0206.png", bytes: 11 },
  ]);
  expect(await Promise.all(frames.map(async (frame) => String(await frame.read())))).toEqual([
    "picture 205",
    "picture 206",
  ]);
});

test("a frame that is not there is missing", async () => {
  await expect(listed(await temporaryFolder())).rejects.toEqual(refusal("RENDER_FRAME_MISSING"));
});

test("an empty placeholder is a missing frame", async () => {
  const folder = await rendered();
  await truncate(join(folder, "frame_0205.png"));
  await expect(listed(folder)).rejects.toEqual(refusal("RENDER_FRAME_MISSING"));
});

test.each(["frame_0205_L.png", "frame_205.png", "frame_0207.png", "frame_0205.png.tmp", ".hidden"])(
  "another file (%s) is unexpected",
  async (name) => {
    const folder = await rendered();
    await writeFile(join(folder, name), "x");
    await expect(listed(folder)).rejects.toEqual(refusal("RENDER_FRAME_UNEXPECTED"));
  },
);

test("of a folder with more files than anybody reads the first are named, and the listing ends", async () => {
  const folder = await rendered();
  for (let number = 0; number < 300; number += 1) await writeFile(join(folder, `x${number}`), "");
  const refused = await listed(folder).catch((thrown: unknown) => thrown);
  expect(refused).toMatchObject({ code: "RENDER_FRAME_UNEXPECTED" });
  expect(refused).toHaveProperty("details.length", 20);
});

const UNREGULAR: Record<string, (path: string) => Promise<unknown>> = {
  "a symbolic link": (path) => symlink("/etc/hostname", path),
  "a FIFO, which is not waited on": async (path) => execFileSync("mkfifo", [path]),
  "a folder": (path) => mkdir(path),
  "a second link to a file": async (path) => {
    await writeFile(`${path}.elsewhere`, "secret");
    await link(`${path}.elsewhere`, path);
  },
};
test.each(Object.entries(UNREGULAR))("%s is no frame", async (_, make) => {
  const folder = await temporaryFolder();
  const output = join(folder, "output");
  await mkdir(output);
  const made = join(folder, "made");
  await make(made);
  execFileSync("mv", [made, join(output, "frame_0205.png")]);
  await expect(listOutput({ folder: output, frames: [205], frameBytes: 100 })).rejects.toEqual(
    refusal("RENDER_FRAME_NOT_REGULAR"),
  );
});

test("a frame over its cap is refused before it is read", async () => {
  const folder = await rendered();
  await truncate(join(folder, "frame_0206.png"), 101);
  await expect(listed(folder)).rejects.toEqual(refusal("RENDER_OUTPUT_TOO_LARGE"));
});

test("a frame that changes after it was listed is not read", async () => {
  const folder = await rendered();
  const [frame] = await listed(folder);
  await writeFile(join(folder, "frame_0205.png"), "another picture");
  await expect(frame?.read()).rejects.toEqual(refusal("RENDER_FRAME_NOT_REGULAR"));
});
