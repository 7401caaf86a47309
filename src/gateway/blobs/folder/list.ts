import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { SHA256_HEX } from "../../../../contracts/patterns.ts";
import { systemCode } from "../../../core/error.ts";
import { storeFailed } from "../../store-failed.ts";
import type { BlobName } from "../blob-store.ts";

/** Every file that lies where a blob beyond `after` would. */
export async function* listBlobs(
  root: string,
  after: string,
): AsyncGenerator<BlobName & { changedAt: number }> {
  for (const start of await names(root)) {
    if (!/^[0-9a-f]{2}$/.test(start) || start < after.slice(0, 2)) continue;
    for (const rest of await names(join(root, start))) {
      const sha256 = `${start}${rest}`;
      if (!SHA256_HEX.test(sha256) || sha256 <= after) continue;
      const stat = await lstat(join(root, start, rest)).catch(absent);
      if (stat?.isFile() === true)
        yield { sha256, bytes: stat.size, changedAt: Math.floor(stat.mtimeMs / 1_000) };
    }
  }
}

const names = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(absent))?.sort() ?? [];

/** What is gone meanwhile was removed by another hand. */
const absent = (thrown: unknown): null => {
  if (systemCode(thrown) === "ENOENT") return null;
  throw storeFailed(thrown);
};
