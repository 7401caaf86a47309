import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { startSha256 } from "../../core/digest.ts";
import { systemCode } from "../../core/error.ts";
import { storeFailed } from "../store-failed.ts";

export interface FileFacts {
  readonly sha256: string;
  readonly bytes: number;
}

/** Copies a file to a new one, flushed; what was copied, or null where there is nothing to copy. */
export async function copyFile(source: string, target: string): Promise<FileFacts | null> {
  const input = await opened(source);
  if (input === null) return null;
  const hash = startSha256();
  let bytes = 0;
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const output = await open(target, "wx", 0o600);
    try {
      for await (const chunk of input.createReadStream({ highWaterMark: 1024 * 1024, autoClose: false })) {
        hash.update(chunk);
        bytes += chunk.byteLength;
        await output.writeFile(chunk);
      }
      await output.sync();
    } finally {
      await output.close();
    }
  } catch (thrown) {
    throw storeFailed(thrown);
  } finally {
    await input.close();
  }
  return { sha256: hash.digest("hex"), bytes };
}

/** Before anything stands at the target; null where there is no such file. */
async function opened(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return null;
    throw storeFailed(thrown);
  }
}

/** Digest and size of a file. */
export async function factsOf(path: string): Promise<FileFacts> {
  const hash = startSha256();
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { sha256: hash.digest("hex"), bytes };
}
