import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Changes } from "../../../fixtures/evidence-maker/changes.ts";
import { evidence } from "../../../fixtures/evidence-maker/good.ts";
import { temporaryFolder } from "../../support/temporary.ts";

export { sharedDecoders } from "../../support/shared-decoders.ts";

/** A changed good case on the disk, gone when the test ends. */
export async function folderOf(changes: Changes = {}): Promise<string> {
  const folder = join(await temporaryFolder(), "evidence");
  for (const [path, bytes] of evidence(changes)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  return folder;
}
