import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { HandoffError } from "../../../core/error.ts";
import { storeFailed } from "../../store-failed.ts";

/** Opens before it answers, so that a file that is gone, or cut short, is an error and not half an answer. */
export async function readBlob(path: string, range: { first: number; last: number }): Promise<Readable> {
  if (range.last < range.first) return Readable.from([]);
  try {
    const handle = await open(path, "r");
    const { size } = await handle.stat();
    if (size > range.last) return handle.createReadStream({ start: range.first, end: range.last });
    await handle.close();
  } catch (thrown) {
    throw storeFailed(thrown);
  }
  throw new HandoffError("GATEWAY_STORE_FAILED", `${path} is cut short.`);
}
