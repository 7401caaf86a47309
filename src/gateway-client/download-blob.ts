import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { startSha256 } from "../core/digest.ts";
import { HandoffError } from "../core/error.ts";
import { syncFolder } from "../core/files/write-durable.ts";
import { header, type RawAnswer, type Sink } from "./exchange.ts";
import { AttemptFault } from "./transport-fault.ts";

/** A body that goes to a file: temporary name, counted, hashed, capped, then renamed. */
export interface FileTarget {
  /** Begins anew from zero: no attempt continues another's bytes. */
  open(): Promise<Sink>;
  /** Checks the whole and gives the file its name; the number of bytes. */
  finish(answer: RawAnswer): Promise<number>;
  /** Removes what is unfinished. */
  discard(): Promise<void>;
}

/** `maxBytes` caps the file; with `bytes` the size must be exactly that. */
export function fileTarget(options: {
  path: string;
  sha256: string;
  maxBytes: number;
  bytes: number | null;
}): FileTarget {
  const temporary = `${options.path}.partial`;
  let handle: FileHandle | null = null;
  let hash = startSha256();
  let size = 0;

  const discard = async (): Promise<void> => {
    await handle?.close();
    handle = null;
    await rm(temporary, { force: true });
  };
  const damaged = (what: string): AttemptFault =>
    new AttemptFault(new HandoffError("GATEWAY_BLOB_DAMAGED", `${options.sha256}: ${what}`), true);

  return {
    discard,
    open: async () => {
      await discard();
      const file = await open(temporary, "wx", 0o600);
      handle = file;
      hash = startSha256();
      size = 0;
      return {
        write: async (chunk) => {
          size += chunk.byteLength;
          if (size > options.maxBytes)
            throw new AttemptFault(new HandoffError("GATEWAY_RESPONSE_TOO_LARGE", options.sha256), false);
          hash.update(chunk);
          await writeAll(file, chunk);
        },
      };
    },
    finish: async (answer) => {
      const announced = header(answer, "content-length");
      if (announced !== null && Number(announced) !== size) throw damaged(`${size} of ${announced} bytes`);
      if (options.bytes !== null && size !== options.bytes)
        throw damaged(`${size} bytes, not ${options.bytes}`);
      if (hash.digest("hex") !== options.sha256) throw damaged("another digest");
      await handle?.sync();
      await handle?.close();
      handle = null;
      await rename(temporary, options.path);
      await syncFolder(dirname(options.path));
      return size;
    },
  };
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.byteLength; )
    at += (await file.write(bytes, at, bytes.byteLength - at)).bytesWritten;
}
