import { constants } from "node:fs";
import { access, mkdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { z } from "zod";
import { BlenderVersion } from "../../contracts/documents/job.ts";
import type { Clock } from "../core/clock.ts";
import { startSha256 } from "../core/digest.ts";
import { HandoffError } from "../core/error.ts";
import { readBlocks } from "../core/files/read-blocks.ts";
import { readCapped } from "../core/files/read-capped.ts";
import { writeDurable } from "../core/files/write-durable.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { readDocument } from "../core/json/read-document.ts";
import { SYSTEM_PATH } from "./containment/command.ts";
import { runBriefly } from "./process/run-briefly.ts";
import { rulesOf, seriesOf } from "./versions/known.ts";

export interface BlenderIdentity {
  /** Real path of the executable, no symbolic link in it. */
  readonly path: string;
  readonly sha256: string;
  readonly version: string;
  /** `3.4` of `3.4.1`. */
  readonly series: string;
  /** `linux-x64` and the like, as in a job's executables. */
  readonly platform: string;
}

export interface IdentifyOptions {
  /** The executable; null looks for `blender` on `searchPath`. */
  readonly path: string | null;
  /** Folders as in PATH; the system's own when not given. */
  readonly searchPath?: string;
  /** Where versions are remembered by digest (a start takes up to a second); null remembers nothing. */
  readonly cacheFolder: string | null;
  readonly clock: Clock;
}

const VERSION_MS = 30_000;
const Remembered = z.strictObject({ version: BlenderVersion });

/**
 * Finds Blender and says what it is. Throws RENDER_BLENDER_MISSING when there is none that answers,
 * RENDER_SERIES_UNKNOWN when its settings are not known here.
 */
export async function identifyBlender(options: IdentifyOptions): Promise<BlenderIdentity> {
  const path = await executable(options);
  const sha256 = await digestOf(path);
  const version = await versionOf(path, sha256, options);
  if (rulesOf(version) === undefined) throw new HandoffError("RENDER_SERIES_UNKNOWN", `It is ${version}.`);
  return {
    path,
    sha256,
    version,
    series: seriesOf(version),
    platform: `${process.platform}-${process.arch}`,
  };
}

async function executable(options: IdentifyOptions): Promise<string> {
  const candidates =
    options.path === null
      ? (options.searchPath ?? SYSTEM_PATH)
          .split(":")
          .filter(isAbsolute)
          .map((folder) => join(folder, "blender"))
      : [resolve(options.path)];
  for (const candidate of candidates) {
    try {
      await access(candidate, constants.X_OK);
      const real = await realpath(candidate);
      if ((await stat(real)).isFile()) return real;
    } catch {
      // The next candidate; without one the error below says where was looked.
    }
  }
  throw new HandoffError("RENDER_BLENDER_MISSING", `Looked at: ${candidates.join(", ")}.`);
}

async function digestOf(path: string): Promise<string> {
  const hash = startSha256();
  try {
    for await (const block of readBlocks(path)) hash.update(block);
  } catch (thrown) {
    throw new HandoffError("RENDER_BLENDER_MISSING", `${path} cannot be read.`, { cause: thrown });
  }
  return hash.digest("hex");
}

async function versionOf(path: string, sha256: string, options: IdentifyOptions): Promise<string> {
  const cache = options.cacheFolder === null ? null : join(options.cacheFolder, `${sha256}.json`);
  if (cache !== null) {
    const read = await readCapped(cache, 1_024);
    const remembered = read.ok ? readDocument(Remembered, read.bytes) : null;
    if (remembered?.ok) return remembered.value.version;
  }
  const answer = await runBriefly({
    file: path,
    args: ["--version"],
    env: { PATH: SYSTEM_PATH, LANG: "C", LC_ALL: "C", HOME: "/nonexistent" },
    milliseconds: VERSION_MS,
    clock: options.clock,
  });
  const version = /^Blender (\d{1,3}\.\d{1,3}(?:\.\d{1,3})?)\b/m.exec(answer.output)?.[1];
  if (version === undefined)
    throw new HandoffError("RENDER_BLENDER_MISSING", `${path} does not say which version it is.`);
  if (cache !== null && options.cacheFolder !== null) {
    await mkdir(options.cacheFolder, { recursive: true, mode: 0o700 });
    await writeDurable(cache, canonicalBytes({ version }));
  }
  return version;
}
