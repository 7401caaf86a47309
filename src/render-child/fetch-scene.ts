import { chmod, mkdir, open, readdir, rename, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Job } from "../../contracts/documents/job.ts";
import type { Clock } from "../core/clock.ts";
import { startSha256 } from "../core/digest.ts";
import { HandoffError, systemCode } from "../core/error.ts";
import { readBlocks } from "../core/files/read-blocks.ts";
import type { GatewayClient } from "../gateway-client/client.ts";
import { pruneScenes } from "./prune-scenes.ts";

interface SceneFetch {
  readonly client: GatewayClient;
  readonly job: Job;
  /** Files by digest, kept between runs. */
  readonly cache: string;
  readonly clock: Pick<Clock, "wallSeconds">;
  /** The run's own scene folder, empty. */
  readonly folder: string;
}

/**
 * Puts the job's scene into the run's folder, read-only. Files come from the cache or the gateway and are
 * hashed while they are copied, so that what lies in the run's folder is what the job names. Throws
 * CLAIM_SCENE_DIGEST, CLAIM_DISK_SPACE, or what the client throws.
 */
export async function fetchScene(fetch: SceneFetch): Promise<void> {
  await mkdir(fetch.cache, { recursive: true, mode: 0o700 });
  const needed = new Set(fetch.job.scene.files.map((file) => file.sha256));
  try {
    await pruneScenes(fetch.cache, { ...fetch, needed });
    for (const file of fetch.job.scene.files) await placeFile(fetch, file);
    await lockFolders(fetch.folder);
  } catch (thrown) {
    if (systemCode(thrown) === "ENOSPC")
      throw new HandoffError("CLAIM_DISK_SPACE", undefined, { cause: thrown });
    throw thrown;
  }
}

type SceneFile = Job["scene"]["files"][number];

async function placeFile(fetch: SceneFetch, file: SceneFile): Promise<void> {
  const target = join(fetch.folder, file.path);
  await mkdir(dirname(target), { recursive: true });
  const cached = join(fetch.cache, file.sha256);
  if (await copyChecked(cached, target, file)) {
    const now = fetch.clock.wallSeconds();
    return await utimes(cached, now, now);
  }
  await rm(cached, { force: true });
  await download(fetch.client, cached, file);
  if (!(await copyChecked(cached, target, file))) throw new HandoffError("CLAIM_SCENE_DIGEST", file.path);
}

async function download(client: GatewayClient, path: string, file: SceneFile): Promise<void> {
  try {
    await client.getBlob({ sha256: file.sha256, path, maxBytes: file.bytes, bytes: file.bytes });
  } catch (thrown) {
    const wrong =
      thrown instanceof HandoffError &&
      (thrown.code === "GATEWAY_BLOB_DAMAGED" || thrown.code === "GATEWAY_RESPONSE_TOO_LARGE");
    if (wrong) throw new HandoffError("CLAIM_SCENE_DIGEST", file.path, { cause: thrown });
    throw thrown;
  }
}

/** Copies and hashes in one pass; false, and no copy, when the source is absent or not what the job names. */
async function copyChecked(source: string, target: string, file: SceneFile): Promise<boolean> {
  const partial = `${target}.partial`;
  const hash = startSha256();
  let bytes = 0;
  const output = await open(partial, "wx", 0o444);
  try {
    for await (const block of readBlocks(source)) {
      hash.update(block);
      bytes += block.byteLength;
      await output.writeFile(block);
    }
  } catch (thrown) {
    if (systemCode(thrown) !== "ENOENT") throw thrown;
    bytes = -1;
  } finally {
    await output.close();
  }
  if (bytes === file.bytes && hash.digest("hex") === file.sha256) {
    await rename(partial, target);
    return true;
  }
  await rm(partial, { force: true });
  return false;
}

async function lockFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o555);
  await chmod(folder, 0o555);
}
