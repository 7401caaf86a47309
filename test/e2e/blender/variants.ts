import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";

const script = fileURLToPath(new URL("./make_variants.py", import.meta.url));

/** Makes the scenes of make_variants.py once for a test file; returns the folder of each by its name. */
export function sceneVariants(): (name: string) => string {
  let top = "";
  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), "variants-"));
    const args = ["--background", "--factory-startup", "-noaudio", "--python-exit-code", "9"];
    await promisify(execFile)("blender", [...args, "--python", script, "--", top]);
  });
  afterAll(() => rm(top, { recursive: true, force: true }));
  return (name) => join(top, name);
}
