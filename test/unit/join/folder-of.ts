import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import type { Changes } from "../../../fixtures/evidence-maker/changes.ts";
import { evidence } from "../../../fixtures/evidence-maker/good.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { openDecoders } from "../../../src/join/decode/open-decoders.ts";
import type { Decoders } from "../../../src/join/decode/run-plan.ts";
import { temporaryFolder } from "../../support/temporary.ts";

/** A changed good case on the disk, gone when the test ends. */
export async function folderOf(changes: Changes = {}): Promise<string> {
  const folder = join(await temporaryFolder(), "evidence");
  for (const [path, bytes] of evidence(changes)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  return folder;
}

/** Decoders for all tests of a file: to start threads for each of them would be most of their time. */
export function sharedDecoders(): Decoders {
  const decoders = openDecoders({}, systemClock);
  afterAll(() => decoders.close());
  return decoders;
}
