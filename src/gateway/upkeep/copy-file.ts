import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
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
  const hash = startSha256();
  let bytes = 0;
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const output = await open(target, "wx", 0o600);
    try {
      for await (const chunk of createReadStream(source, { highWaterMark: 1024 * 1024 })) {
        hash.update(chunk);
        bytes += chunk.byteLength;
        await output.writeFile(chunk);
      }
      await output.sync();
    } finally {
      await output.close();
    }
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return null;
    throw storeFailed(thrown);
  }
  return { sha256: hash.digest("hex"), bytes };
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
