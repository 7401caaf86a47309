import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pruneScenes } from "../../../src/render-child/prune-scenes.ts";
import { manualClock } from "../../support/manual-clock.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const clock = manualClock();
const now = clock.wallSeconds();

/** A cache with files of 100 bytes that were used so many seconds ago. */
async function cacheOf(files: Readonly<Record<string, number>>): Promise<string> {
  const cache = join(await temporaryFolder(), "scenes");
  mkdirSync(cache);
  for (const [name, ago] of Object.entries(files)) {
    writeFileSync(join(cache, name), Buffer.alloc(100));
    utimesSync(join(cache, name), now - ago, now - ago);
  }
  return cache;
}
const left = (cache: string): string[] => readdirSync(cache).sort();

test("what was not used for longest goes until the rest fits", async () => {
  const cache = await cacheOf({ a: 10, b: 40, c: 20, d: 30 });
  await pruneScenes(cache, { needed: new Set(), clock, mostBytes: 250, mostSeconds: 1_000 });
  expect(left(cache)).toEqual(["a", "c"]);
});

test("what is too old goes though there is room, and what the run needs stays though there is none", async () => {
  const cache = await cacheOf({ old: 2_000, needed: 3_000, new: 1 });
  await pruneScenes(cache, { needed: new Set(["needed"]), clock, mostBytes: 100, mostSeconds: 1_000 });
  expect(left(cache)).toEqual(["needed", "new"]);
});

test("a cache that is not there is no fault", async () => {
  const cache = join(await temporaryFolder(), "none");
  await expect(pruneScenes(cache, { needed: new Set(), clock })).resolves.toBeUndefined();
});
