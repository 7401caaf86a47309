import { access, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BlenderPin, BlenderPins } from "../../../contracts/documents/blender-pins.ts";
import type { Clock } from "../../core/clock.ts";
import { HandoffError, systemCode } from "../../core/error.ts";
import { syncFolder } from "../../core/files/write-durable.ts";
import { SYSTEM_PATH } from "../containment/command.ts";
import { type BlenderIdentity, identifyBlender } from "../identify.ts";
import { runBriefly } from "../process/run-briefly.ts";
import { downloadArchive } from "./download.ts";

export interface FetchOptions {
  readonly pins: BlenderPins;
  readonly version: string;
  /** Where versions are installed, each in a folder of its own; made when it is not there. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

export interface FetchedBlender {
  readonly identity: BlenderIdentity;
  /** False when it was there already: nothing was downloaded. */
  readonly installed: boolean;
}

const UNPACK_MS = 600_000;
const WORK_PREFIX = ".fetching-";
/** No fetch takes so long: what is older was left by one that was killed. */
const LEFT_BEHIND_SECONDS = 86_400;

/**
 * Installs the pinned archive of a version: downloaded, checked, unpacked beside its place, then renamed into it,
 * so that the folder is whole or not there. Throws USAGE_BLENDER_PIN, RENDER_FETCH_
 * and RENDER_BLENDER_ codes, or the signal's reason.
 */
export async function fetchBlender(options: FetchOptions): Promise<FetchedBlender> {
  const pin = pinOf(options);
  const name = `blender-${pin.version}-${pin.platform}-${pin.sha256.slice(0, 12)}`;
  const place = join(options.folder, name);
  const installed = !(await there(place));
  if (installed) await install(options, pin, place);
  const identity = await identifyBlender({
    path: join(place, "blender"),
    cacheFolder: null,
    clock: options.clock,
  });
  if (identity.version !== pin.version)
    throw new HandoffError(
      "RENDER_BLENDER_PIN",
      `The archive holds ${identity.version}, not ${pin.version}.`,
    );
  return { identity, installed };
}

function pinOf({ pins, version }: FetchOptions): BlenderPin {
  const platform = `${process.platform}-${process.arch}`;
  const pin = pins.pins.find((one) => one.version === version && one.platform === platform);
  if (pin === undefined) throw new HandoffError("USAGE_BLENDER_PIN", `It is ${version} for ${platform}.`);
  return pin;
}

async function install(options: FetchOptions, pin: BlenderPin, place: string): Promise<void> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  await sweep(options);
  const work = await mkdtemp(join(options.folder, WORK_PREFIX));
  try {
    const archive = join(work, "archive");
    await downloadArchive(pin, archive, options.signal);
    const unpacked = join(work, "unpacked");
    await mkdir(unpacked);
    await tool(options, "tar", ["-xf", archive, "-C", unpacked, "--strip-components=1", "--no-same-owner"]);
    if (!(await there(join(unpacked, "blender"))))
      throw new HandoffError("RENDER_FETCH_FAILED", "There is no Blender in it.");
    // every file is on the disk before the name says that it is there whole
    await tool(options, "sync", ["-f", unpacked]);
    await moveInto(unpacked, place);
    await syncFolder(options.folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function tool({ signal, clock }: FetchOptions, file: string, args: string[]): Promise<void> {
  const env = { PATH: SYSTEM_PATH, LANG: "C" };
  const { exitCode, output } = await runBriefly({ file, args, env, milliseconds: UNPACK_MS, clock, signal });
  signal.throwIfAborted();
  if (exitCode !== 0)
    throw new HandoffError(
      "RENDER_FETCH_FAILED",
      `It cannot be unpacked: ${file} failed. ${output.slice(0, 300)}`,
    );
}

/** Another fetch of the same archive may have been faster: what is there is as good. */
async function moveInto(unpacked: string, place: string): Promise<void> {
  try {
    await rename(unpacked, place);
  } catch (thrown) {
    const taken = ["ENOTEMPTY", "EEXIST"].includes(systemCode(thrown) ?? "");
    if (!taken) throw thrown;
  }
}

/** Removes what killed fetches left. */
async function sweep({ folder, clock }: FetchOptions): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(WORK_PREFIX)) continue;
    const path = join(folder, name);
    const stats = await stat(path).catch(() => null); // another fetch has cleared up meanwhile
    if (stats !== null && stats.mtimeMs / 1_000 < clock.wallSeconds() - LEFT_BEHIND_SECONDS)
      await rm(path, { recursive: true, force: true });
  }
}

const there = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
