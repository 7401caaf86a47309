import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { LIMITS } from "../../contracts/limits.ts";
import type { Clock } from "../core/clock.ts";

export interface Pruning {
  /** Digests that this run needs: they stay, whatever they weigh. */
  readonly needed: ReadonlySet<string>;
  readonly clock: Pick<Clock, "wallSeconds">;
  /** Those of LIMITS when not given. */
  readonly mostBytes?: number;
  readonly mostSeconds?: number;
}

/**
 * Keeps the cache of scene files within its size and age: what was not used for longest goes first. Every run
 * works on a copy of its own, and the outbox on bundles, so nothing that is needed elsewhere is here. A file
 * that cannot be looked at or removed is left for the next run.
 */
export async function pruneScenes(cache: string, pruning: Pruning): Promise<void> {
  const { mostBytes = LIMITS.sceneCacheBytes, mostSeconds = LIMITS.sceneCacheSeconds } = pruning;
  const found: { name: string; bytes: number; usedAt: number }[] = [];
  for (const name of await readdir(cache).catch(() => [])) {
    const stat = await lstat(join(cache, name)).catch(() => null);
    if (stat !== null) found.push({ name, bytes: stat.size, usedAt: stat.mtimeMs / 1_000 });
  }
  const oldest = pruning.clock.wallSeconds() - mostSeconds;
  let bytes = 0;
  for (const { name, bytes: own, usedAt } of found.sort((left, right) => right.usedAt - left.usedAt)) {
    bytes += own;
    if (pruning.needed.has(name) || (usedAt >= oldest && bytes <= mostBytes)) continue;
    bytes -= own;
    await rm(join(cache, name), { force: true, recursive: true }).catch(() => {});
  }
}
