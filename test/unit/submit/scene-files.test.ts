import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256 } from "../../../src/core/digest.ts";
import { digestFiles, findScene } from "../../../src/submit/scene-files.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { temporaryFolder } from "../../support/temporary.ts";

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test("a scene is found below its root", async () => {
  const root = await folderWith({ "shots/a.blend": "BLENDER-v304" });
  const scene = join(root, "shots/a.blend");
  expect((await findScene(scene, root)).main).toBe("shots/a.blend");
  expect((await findScene(scene, null)).main).toBe("a.blend");
});

test("what is no .blend is USAGE_SCENE_UNREADABLE", async () => {
  const root = await folderWith({ "a.blend": "no scene", "b.txt": "BLENDER-v304" });
  for (const name of ["a.blend", "b.txt", "absent.blend", "."])
    expect(await codeOfPromise(findScene(join(root, name), null))).toBe("USAGE_SCENE_UNREADABLE");
});

test("a scene beside its root, or a link out of it, escapes", async () => {
  const root = await folderWith({ "a.blend": "BLENDER-v304", "inner/x": "", "out.png": "o" });
  expect(await codeOfPromise(findScene(join(root, "a.blend"), join(root, "inner")))).toBe(
    "RENDER_SCENE_ESCAPES",
  );
  symlinkSync(join(root, "out.png"), join(root, "inner/link.png"));
  expect(await codeOfPromise(digestFiles(join(root, "inner"), ["link.png"]))).toBe("RENDER_SCENE_ESCAPES");
});

test("files are digested once each, in order", async () => {
  const root = await folderWith({ "b.png": "b", "a.blend": "a" });
  expect(await digestFiles(root, ["b.png", "a.blend", "b.png"])).toEqual([
    { path: "a.blend", sha256: sha256("a"), bytes: 1 },
    { path: "b.png", sha256: sha256("b"), bytes: 1 },
  ]);
});

test("a missing file and a name that no job can hold are refused", async () => {
  const root = await folderWith({ "a:b": "x" });
  expect(await codeOfPromise(digestFiles(root, ["absent"]))).toBe("RENDER_SCENE_INCOMPLETE");
  expect(await codeOfPromise(digestFiles(root, ["a:b"]))).toBe("RENDER_SCENE_INVALID");
});
