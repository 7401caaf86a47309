import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { BlenderPins } from "../../../contracts/documents/blender-pins.ts";
import { fetchBlender } from "../../../src/blender/fetch/fetch-blender.ts";
import { runBriefly } from "../../../src/blender/process/run-briefly.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { fixtureBlender } from "../../support/child.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { rawServer } from "../../support/raw-server.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";

/** An archive as blender.org makes them: one folder, `blender` in it. */
async function archive(): Promise<Buffer> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "blender-3.4.1-linux-x64"));
  await copyFile(fixtureBlender("honest"), join(folder, "blender-3.4.1-linux-x64/blender"));
  execFileSync("tar", ["-cJf", "a.tar.xz", "blender-3.4.1-linux-x64"], { cwd: folder });
  return readFileSync(join(folder, "a.tar.xz"));
}

async function optionsFor(url: string, bytes: Buffer) {
  const platform = `${process.platform}-${process.arch}`;
  const pins = {
    schema: "render_handoff.blender_pins.v1",
    pins: [
      { version: "3.4.1", platform, url: `${url}/a.tar.xz`, sha256: sha256(bytes), bytes: bytes.byteLength },
    ],
  } as BlenderPins;
  const folder = join(await temporaryFolder(), "blenders");
  return { pins, version: "3.4.1", folder, signal: new AbortController().signal, clock: systemClock };
}

test("an archive whose transfer breaks is fetched again from zero, checked, and there whole; then not again", async () => {
  const bytes = await archive();
  const server = await rawServer(
    (_, response) => {
      response.writeHead(200, { "content-length": String(bytes.byteLength) });
      response.write(bytes.subarray(0, 100), () => response.destroy());
    },
    (_, response) => response.end(bytes),
  );
  const options = await optionsFor(server.url, bytes);
  const first = await fetchBlender(options);
  expect(first).toMatchObject({
    installed: true,
    identity: { version: "3.4.1", sha256: sha256(readFileSync(fixtureBlender("honest"))) },
  });
  expect(server.seen.map((one) => one.headers.range)).toEqual([undefined, undefined]);
  expect(await fetchBlender(options)).toEqual({ ...first, installed: false });
  expect(server.seen).toHaveLength(2);
  expect(readdirSync(options.folder)).toHaveLength(1);
});

test("two fetches at once both succeed, and the version is there once", async () => {
  const bytes = await archive();
  const server = await rawServer((_, response) => response.end(bytes));
  const options = await optionsFor(server.url, bytes);
  const both = await Promise.all([fetchBlender(options), fetchBlender(options)]);
  expect(both[0].identity).toEqual(both[1].identity);
  expect(readdirSync(options.folder)).toHaveLength(1);
});

test("what a killed fetch left behind is removed by the next, a fetch that may be at work is left alone", async () => {
  const bytes = await archive();
  const server = await rawServer((_, response) => response.end(bytes));
  const options = await optionsFor(server.url, bytes);
  for (const name of [".fetching-old", ".fetching-new"])
    await mkdir(join(options.folder, name, "unpacked"), { recursive: true });
  const twoDaysAgo = systemClock.wallSeconds() - 2 * 86_400;
  utimesSync(join(options.folder, ".fetching-old"), twoDaysAgo, twoDaysAgo);
  await fetchBlender(options);
  const left = readdirSync(options.folder).filter((name) => name.startsWith("."));
  expect(left).toEqual([".fetching-new"]);
});

test("a signal is heard while a tool is at work: it is killed", async () => {
  const stop = new AbortController();
  const tool = { file: "sleep", args: ["1000"], env: { PATH: "/usr/bin:/bin" }, milliseconds: 900_000 };
  const run = runBriefly({ ...tool, clock: systemClock, signal: stop.signal });
  stop.abort();
  expect((await run).exitCode).toBeNull();
  expect((await runBriefly({ ...tool, clock: systemClock, signal: stop.signal })).exitCode).toBeNull();
});

test.each<[string, (bytes: Buffer) => Buffer, string]>([
  ["other bytes of that size", (bytes) => Buffer.alloc(bytes.byteLength), "RENDER_FETCH_DIGEST"],
  ["too many bytes", (bytes) => Buffer.concat([bytes, bytes]), "RENDER_FETCH_DIGEST"],
  ["too few bytes", (bytes) => bytes.subarray(1), "RENDER_FETCH_DIGEST"],
])("%s: nothing is installed and nothing is left", async (_, change, code) => {
  const bytes = await archive();
  const server = await rawServer((__, response) => response.end(change(bytes)));
  const options = await optionsFor(server.url, bytes);
  expect(await codeOfPromise(fetchBlender(options))).toBe(code);
  expect(readdirSync(options.folder)).toEqual([]);
});

test("a redirect, and a server that keeps breaking off, are RENDER_FETCH_FAILED", async () => {
  const bytes = await archive();
  const moved = await rawServer((_, response) => response.writeHead(302, { location: "/b" }).end());
  expect(await codeOfPromise(fetchBlender(await optionsFor(moved.url, bytes)))).toBe("RENDER_FETCH_FAILED");
  const broken = await rawServer((_, response) => response.destroy());
  expect(await codeOfPromise(fetchBlender(await optionsFor(broken.url, bytes)))).toBe("RENDER_FETCH_FAILED");
  expect(broken.seen).toHaveLength(3);
});

test("the command reads the pins file; a version that is not in it is USAGE_BLENDER_PIN", async () => {
  const bytes = await archive();
  const server = await rawServer((_, response) => response.end(bytes));
  const { pins, folder } = await optionsFor(server.url, bytes);
  const file = join(await temporaryFolder(), "pins.json");
  await writeFile(file, JSON.stringify(pins));
  const fetched = await runCli("render-handoff", [
    "blender",
    "fetch",
    "3.4.1",
    "--pins",
    file,
    "--into",
    folder,
    "--json",
  ]);
  expect(existsSync(JSON.parse(fetched.stdout).path)).toBe(true);
  const other = await runCli("render-handoff", [
    "blender",
    "fetch",
    "4.3.2",
    "--pins",
    file,
    "--into",
    folder,
  ]);
  expect(other).toMatchObject({ exit: 2, code: "USAGE_BLENDER_PIN" });
});
