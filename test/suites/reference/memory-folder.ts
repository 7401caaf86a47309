import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const MEMORY = "/dev/shm";

/** A folder of this test in memory where there is such a place: what is compared here needs no disk. */
export async function memoryFolder(): Promise<string> {
  const place = existsSync(MEMORY) ? MEMORY : tmpdir();
  const folder = await mkdtemp(join(place, `render-handoff-${process.pid}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
