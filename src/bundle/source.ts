import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { systemCode } from "../core/system-code.ts";

/** Random access to an archive. `read` throws SourceFault where the bytes cannot be had. */
export interface BundleSource {
  readonly size: number;
  /** Into the front of `into`, where it is given: whoever reads piece by piece takes memory once. */
  read(offset: number, length: number, into?: Buffer): Buffer;
}

/** The machine failed to give bytes of the archive: says nothing about the archive. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";
}

export type OpenedBundle =
  | {
      readonly ok: true;
      readonly source: BundleSource;
      /** Differs as soon as the file is another one, or was written to. */
      readonly identity: string;
      /** Whether it is still what it was when it was opened. */
      readonly unchanged: () => boolean;
      readonly close: () => void;
    }
  | { readonly ok: false; readonly why: "absent" | "unreadable" | "not_regular"; readonly detail: string };

/** The archive in memory; members that are stored are views of these very bytes. */
export function bundleFromBuffer(bytes: Uint8Array): BundleSource {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { size: whole.length, read: (offset, length) => whole.subarray(offset, offset + length) };
}

/** The archive on disk: opened without following a link and without blocking; only a regular file. */
export function openBundleFile(path: string | Buffer): OpenedBundle {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (thrown) {
    const detail = systemCode(thrown) ?? "unknown";
    if (detail === "ELOOP") return { ok: false, why: "not_regular", detail: "symbolic link" };
    return { ok: false, why: detail === "ENOENT" || detail === "ENOTDIR" ? "absent" : "unreadable", detail };
  }
  const stat = fstatSync(descriptor);
  if (!stat.isFile()) {
    closeSync(descriptor);
    return { ok: false, why: "not_regular", detail: "no regular file" };
  }
  const source = {
    size: stat.size,
    read: (offset: number, length: number, into?: Buffer) =>
      readAt(descriptor, offset, into?.subarray(0, length) ?? Buffer.allocUnsafeSlow(length)),
  };
  const identity = identityOf(stat);
  const unchanged = (): boolean => identityOf(fstatSync(descriptor)) === identity;
  return { ok: true, source, identity, unchanged, close: () => closeSync(descriptor) };
}

const identityOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string =>
  [dev, ino, size, mtimeMs, ctimeMs].join(":");

function readAt(descriptor: number, offset: number, bytes: Buffer): Buffer {
  const { length } = bytes;
  try {
    for (let done = 0; done < length; ) {
      const got = readSync(descriptor, bytes, done, length - done, offset + done);
      if (got === 0) throw new SourceFault(`the file ended at ${offset + done}`);
      done += got;
    }
  } catch (thrown) {
    if (thrown instanceof SourceFault) throw thrown;
    throw new SourceFault(systemCode(thrown) ?? "read failed", { cause: thrown });
  }
  return bytes;
}
