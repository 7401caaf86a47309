import { createReadStream } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { z } from "zod";
import { type SceneFile as SceneFileSchema, ScenePath } from "../../contracts/documents/job.ts";
import { startSha256 } from "../core/digest.ts";
import { HandoffError, systemCode } from "../core/error.ts";
import { harmless } from "../core/escape.ts";

export interface SceneRoot {
  /** Absolute, no link in it. */
  readonly root: string;
  /** The .blend below it, `/` between parts. */
  readonly main: string;
}
export type SceneFile = z.infer<typeof SceneFileSchema>;

/** How a .blend begins: plain, zstd, gzip. */
const BEGINNINGS = [Buffer.from("BLENDER"), Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), Buffer.from([0x1f, 0x8b])];

/** Finds scene and root. Throws USAGE_SCENE_UNREADABLE, or RENDER_SCENE_ESCAPES for a scene beside its root. */
export async function findScene(scene: string, sceneRoot: string | null): Promise<SceneRoot> {
  try {
    const real = await realpath(scene);
    if (!(await stat(real)).isFile() || !real.toLowerCase().endsWith(".blend") || !(await beginsWell(real)))
      throw new HandoffError("USAGE_SCENE_UNREADABLE", scene);
    const root = await realpath(sceneRoot === null ? dirname(real) : resolve(sceneRoot));
    return { root, main: below(root, real) };
  } catch (thrown) {
    if (thrown instanceof HandoffError) throw thrown;
    throw new HandoffError("USAGE_SCENE_UNREADABLE", `${scene}: ${systemCode(thrown)}`, { cause: thrown });
  }
}

async function beginsWell(path: string): Promise<boolean> {
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0);
    const start = buffer.subarray(0, bytesRead);
    return BEGINNINGS.some((beginning) => start.subarray(0, beginning.byteLength).equals(beginning));
  } finally {
    await handle.close();
  }
}

/** The real file's path relative to the root; RENDER_SCENE_ESCAPES when it lies elsewhere. */
function below(root: string, real: string): string {
  const path = relative(root, real);
  if (path === "" || path === ".." || path.startsWith(`..${sep}`) || resolve(root, path) !== real)
    throw new HandoffError("RENDER_SCENE_ESCAPES", harmless(real));
  return path.split(sep).join("/");
}

/**
 * Size and digest of each file that travels. Throws RENDER_SCENE_ESCAPES for a link out of the root,
 * RENDER_SCENE_INVALID for a name that no job can hold, RENDER_SCENE_INCOMPLETE for what cannot be read.
 */
export async function digestFiles(root: string, paths: readonly string[]): Promise<SceneFile[]> {
  const files: SceneFile[] = [];
  for (const path of [...new Set(paths)].sort()) {
    if (!ScenePath.safeParse(path).success)
      throw new HandoffError("RENDER_SCENE_INVALID", `No job can hold the path ${harmless(path)}.`);
    try {
      below(root, await realpath(join(root, path)));
      files.push({ path, ...(await digest(join(root, path))) });
    } catch (thrown) {
      if (thrown instanceof HandoffError) throw thrown;
      throw new HandoffError("RENDER_SCENE_INCOMPLETE", `${harmless(path)}: ${systemCode(thrown)}`, {
        cause: thrown,
      });
    }
  }
  return files;
}

async function digest(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = startSha256();
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { sha256: hash.digest("hex"), bytes };
}
