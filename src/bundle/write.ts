import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { LIMITS } from "../../contracts/limits.ts";
import { ZIP_LAYOUT } from "../../contracts/zip-layout.ts";
import { startSha256 } from "../core/digest.ts";
import { HandoffError, systemCode } from "../core/error.ts";
import { blockMemory, readBlocks } from "../core/files/read-blocks.ts";
import { syncFolder, temporaryName } from "../core/files/write-durable.ts";
import { centralHeader, endRecord, localHeader, type MemberRecord } from "./records.ts";

/** `name`: a plain file name; members come in ascending order of their names' bytes. */
export type NewMember =
  | { readonly name: string; readonly bytes: Uint8Array }
  /** The bytes of a file that nobody changes meanwhile; it is read twice, block by block. */
  | { readonly name: string; readonly file: string };

export interface WriteBundleOptions {
  readonly path: string;
  readonly members: Iterable<NewMember> | AsyncIterable<NewMember>;
  /** Cap of the whole file; 4294967294 at most is used of it. */
  readonly maxBytes: number;
}

/** A type, not an interface, so that it can stand in a canonical document as it is. */
export type WrittenBundle = { readonly sha256: string; readonly bytes: number };

const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/;

/**
 * Writes a bundle in the canonical ZIP layout: stored, sorted, fixed time and mode, so that the same members
 * give the same bytes. Takes no member into memory; the file appears under its name when it is
 * whole and on the disk, and not at all otherwise.
 * Throws HandoffError BUNDLE_TOO_LARGE, BUNDLE_WRITE_FAILED, or INTERNAL_UNEXPECTED for members out of order.
 */
export async function writeBundle(options: WriteBundleOptions): Promise<WrittenBundle> {
  const temporary = temporaryName(options.path);
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
  const hash = startSha256();
  let written = 0;
  const put = async (bytes: Uint8Array): Promise<void> => {
    hash.update(bytes);
    await writeAll(handle, bytes);
    written += bytes.byteLength;
  };

  const memory = blockMemory();
  const records: MemberRecord[] = [];
  let directoryBytes = 0;
  for await (const member of options.members) {
    const { name } = member;
    if (!PLAIN_NAME.test(name) || name <= (records.at(-1)?.name ?? ""))
      throw new HandoffError("INTERNAL_UNEXPECTED", "bundle members must come sorted, each plain name once");
    const record = { name, at: written, ...(await measured(member, memory)) };
    records.push(record);
    directoryBytes += ZIP_LAYOUT.centralHeaderBytes + name.length;
    const memberEnd = written + ZIP_LAYOUT.localHeaderBytes + name.length + record.bytes;
    const total = memberEnd + directoryBytes + ZIP_LAYOUT.endRecordBytes;
    if (total > cap || records.length > LIMITS.zipMembers)
      throw new HandoffError("BUNDLE_TOO_LARGE", `${name} brings it to ${total} bytes; the cap is ${cap}.`);
    await put(localHeader(record));
    for await (const block of blocksOf(member, memory)) await put(block);
    if (written !== memberEnd) throw new HandoffError("BUNDLE_WRITE_FAILED", `${name} changed meanwhile.`);
  }
  const at = written;
  for (const record of records) await put(centralHeader(record));
  await put(endRecord({ at, bytes: written - at, members: records.length }));
  return { sha256: hash.digest("hex"), bytes: written };
}

const blocksOf = (member: NewMember, memory: Buffer): Iterable<Uint8Array> | AsyncIterable<Uint8Array> =>
  "file" in member ? readBlocks(member.file, memory) : [member.bytes];

/** What the header in front of the bytes says about them. */
async function measured(member: NewMember, memory: Buffer): Promise<{ crc: number; bytes: number }> {
  let [crc, bytes] = [0, 0];
  for await (const block of blocksOf(member, memory)) {
    crc = crc32(block, crc);
    bytes += block.byteLength;
  }
  return { crc, bytes };
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.byteLength; )
    done += (await handle.write(bytes, done, bytes.byteLength - done)).bytesWritten;
}
