import { chmod, copyFile, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { detectContainments } from "../../../src/blender/containment/detect.ts";
import { identifyBlender } from "../../../src/blender/identify.ts";
import { systemClock as clock } from "../../../src/core/clock.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const fake = (name: string) => fileURLToPath(new URL(`../../../fixtures/blender/${name}`, import.meta.url));

async function executable(name: string, content: string): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, content);
  await chmod(path, 0o755);
  return path;
}

test("a symbolic link is followed to the executable, whose digest and version are told", async () => {
  const link = join(await temporaryFolder(), "blender");
  await symlink(fake("honest"), link);
  expect(await identifyBlender({ path: link, cacheFolder: null, clock })).toEqual({
    path: fake("honest"),
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    version: "3.4.1",
    series: "3.4",
    platform: `${process.platform}-${process.arch}`,
  });
});

test("the version is asked once for a digest, and anew for other bytes", async () => {
  const cacheFolder = join(await temporaryFolder(), "cache");
  const folder = await temporaryFolder();
  const asked = join(folder, "asked");
  const path = await executable("blender", `#!/bin/sh\necho x >> ${asked}\necho Blender 3.6.2\n`);
  const first = await identifyBlender({ path, cacheFolder, clock });
  const again = await identifyBlender({ path, cacheFolder, clock });
  expect(again).toEqual(first);
  expect((await readdir(cacheFolder)).length).toBe(1);
  await writeFile(path, "#!/bin/sh\necho Blender 4.2.1\n");
  expect((await identifyBlender({ path, cacheFolder, clock })).version).toBe("4.2.1");
});

test("a damaged memory of a version is asked anew", async () => {
  const cacheFolder = await temporaryFolder();
  const path = join(await temporaryFolder(), "blender");
  await copyFile(fake("honest"), path);
  const { sha256 } = await identifyBlender({ path, cacheFolder, clock });
  await writeFile(join(cacheFolder, `${sha256}.json`), '{"version":');
  expect((await identifyBlender({ path, cacheFolder, clock })).version).toBe("3.4.1");
});

test.each([
  ["nothing at the path", "/nonexistent/blender"],
  ["a folder", "/usr"],
  ["a file that may not be executed", "/etc/hostname"],
])("%s is no Blender", async (_, path) => {
  await expect(identifyBlender({ path, cacheFolder: null, clock })).rejects.toEqual(
    expect.objectContaining({ code: "RENDER_BLENDER_MISSING" }),
  );
});

test("a program that says nothing of Blender is none", async () => {
  const path = await executable("blender", "#!/bin/sh\necho GNU bash 5.2\n");
  await expect(identifyBlender({ path, cacheFolder: null, clock })).rejects.toEqual(
    expect.objectContaining({ code: "RENDER_BLENDER_MISSING" }),
  );
});

test("without a path the search path is searched, relative folders in it are not", async () => {
  const folder = await temporaryFolder();
  await symlink(fake("honest"), join(folder, "blender"));
  const searchPath = `.:relative:/nonexistent:${folder}`;
  expect((await identifyBlender({ path: null, searchPath, cacheFolder: null, clock })).path).toBe(
    fake("honest"),
  );
});

test("a series that is not known is refused, not guessed", async () => {
  await expect(identifyBlender({ path: fake("unknown-series"), cacheFolder: null, clock })).rejects.toEqual(
    expect.objectContaining({ code: "RENDER_SERIES_UNKNOWN" }),
  );
});

test("this machine's containments are tried, not looked up: each works or says why not", async () => {
  const report = await detectContainments(clock);
  for (const rung of Object.values(report)) expect(rung.detail).not.toBe("");
  expect(report.bwrap.available).toBe(true);
});
