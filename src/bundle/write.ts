import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { ZipFile } from "yazl";
import { LIMITS } from "../../contracts/limits.ts";
import { ZIP_LAYOUT } from "../../contracts/zip-layout.ts";
import { startSha256 } from "../core/digest.ts";
import { HandoffError, systemCode } from "../core/error.ts";
import { syncFolder } from "../core/files/write-durable.ts";
import { releaseMemory } from "../core/release-memory.ts";

export interface NewMember {
  /** A plain file name; members come in ascending order of their names' bytes. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface WriteBundleOptions {
  readonly path: string;
  readonly members: Iterable<NewMember> | AsyncIterable<NewMember>;
  /** Cap of the whole file; 4294967294 at most is used of it. */
  readonly maxBytes: number;
}

/** A type, not an interface, so that it can stand in a canonical document as it is. */
export type WrittenBundle = { readonly sha256: string; readonly bytes: number };

const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/;
/** yazl's own limit for a member that is given in one piece. */
const MEMBER_BYTES = 0x3fffffff;

/**
 * Writes a bundle in the canonical ZIP layout: stored, sorted, fixed time and mode, so that the same members
 * give the same bytes. Takes one member into memory at a time; the file appears under its name when it is
 * whole and on the disk, and not at all otherwise.
 * Throws HandoffError BUNDLE_TOO_LARGE, BUNDLE_WRITE_FAILED, or INTERNAL_UNEXPECTED for members out of order.
 */
export async function writeBundle(options: WriteBundleOptions): Promise<WrittenBundle> {
  const temporary = `${options.path}.${process.pid}.partial`;
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      const written = await writeArchive(handle, options);
      await handle.sync();
      await rename(temporary, options.path);
      await syncFolder(dirname(options.path));
      return written;
    } catch (thrown) {
      await rm(temporary, { force: true });
      throw thrown;
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    if (thrown instanceof HandoffError) throw thrown;
    throw new HandoffError("BUNDLE_WRITE_FAILED", systemCode(thrown), { cause: thrown });
  }
}

async function writeArchive(handle: FileHandle, options: WriteBundleOptions): Promise<WrittenBundle> {
  const cap = Math.min(options.maxBytes, ZIP_LAYOUT.maxBytes);
  const zip = new ZipFile();
  const output = zip.outputStream[Symbol.asyncIterator]();
  const hash = startSha256();
  let written = 0;
  /** Brings what yazl has made to the disk, up to a length or to the end. */
  const drainTo = async (length: number): Promise<void> => {
    while (written < length) {
      const next = await output.next();
      if (next.done === true) return;
      const piece = typeof next.value === "string" ? Buffer.from(next.value, "latin1") : next.value;
      hash.update(piece);
      await writeAll(handle, piece);
      written += piece.byteLength;
    }
  };

  let directoryBytes = 0;
  let count = 0;
  let previous = "";
  for await (const { name, bytes } of options.members) {
    if (!PLAIN_NAME.test(name) || name <= previous)
      throw new HandoffError("INTERNAL_UNEXPECTED", "bundle members must come sorted, each plain name once");
    previous = name;
    count += 1;
    directoryBytes += ZIP_LAYOUT.centralHeaderBytes + name.length;
    const memberEnd = written + ZIP_LAYOUT.localHeaderBytes + name.length + bytes.byteLength;
    const total = memberEnd + directoryBytes + ZIP_LAYOUT.endRecordBytes;
    if (total > cap || bytes.byteLength > MEMBER_BYTES || count > LIMITS.zipMembers)
      throw new HandoffError("BUNDLE_TOO_LARGE", `${name} brings it to ${total} bytes; the cap is ${cap}.`);
    // yazl holds on to every buffer until the archive ends: it gets a copy whose memory can be taken back
    const copy = new Uint8Array(bytes);
    zip.addBuffer(Buffer.from(copy.buffer), name, fixedAttributes());
    await drainTo(memberEnd);
    releaseMemory(copy);
  }
  zip.end();
  await drainTo(Number.POSITIVE_INFINITY);
  return { sha256: hash.digest("hex"), bytes: written };
}

/** DOS times have no zone: yazl takes the local fields of the date, so that they are 1980-01-01 anywhere. */
const fixedAttributes = (): { mtime: Date; mode: number; compress: boolean; forceDosTimestamp: boolean } => ({
  mtime: new Date(1980, 0, 1),
  mode: 0o100644,
  compress: false,
  forceDosTimestamp: true,
});

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.byteLength; )
    done += (await handle.write(bytes, done, bytes.byteLength - done)).bytesWritten;
}
