import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { storeFailed } from "../../store-failed.ts";

/** Opens before it answers, so that a file that is gone is an error and not half an answer. */
export async function readBlob(path: string, range: { first: number; last: number }): Promise<Readable> {
  if (range.last < range.first) return Readable.from([]);
  try {
    const handle = await open(path, "r");
    return handle.createReadStream({ start: range.first, end: range.last });
  } catch (thrown) {
    throw storeFailed(thrown);
  }
}
