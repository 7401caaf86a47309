import { LIMITS } from "../../contracts/limits.ts";
import { type Fault, fault } from "../core/fault.ts";
import type { DirectoryEntry } from "./read-directory.ts";

export interface BundleCaps {
  /** The archive's file. */
  readonly bundleBytes: number;
  /** One member, inflated. */
  readonly memberBytes: number;
  /** All members, inflated. */
  readonly totalBytes: number;
}

const STORED = 0;
const DEFLATED = 8;
const FLAG = { encrypted: 0x0001, descriptor: 0x0008, strong: 0x0040, masked: 0x2000, utf8: 0x0800 };
const DEFLATE_LEVEL = 0x0006;
const HOST = { dos: 0, unix: 3 };
const DOS_FOLDER_OR_LABEL = 0x18;
const UNIX = { type: 0o170000, regular: 0o100000, special: 0o7000 };
const VERSION_NEEDED = 20;
const ZIP64_EXTRA = 0x0001;

/** ZIP rules 2, 5 and 6 for every entry as the directory states it, before a byte of a member is read. */
export function judgeEntries(entries: readonly DirectoryEntry[], caps: BundleCaps): Fault[] {
  const faults = entries.flatMap((entry) => [
    ...judgeStructure(entry),
    ...judgeFileType(entry),
    ...judgeSizes(entry, caps),
  ]);
  const total = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (total > caps.totalBytes)
    faults.push(
      fault("ZIP_TOTAL_TOO_LARGE", "central directory", { expected: caps.totalBytes, actual: total }),
    );
  return faults;
}

function judgeStructure(entry: DirectoryEntry): Fault[] {
  const { where, flags, method } = entry;
  const faults: Fault[] = [];
  if (isZip64(entry)) faults.push(fault("ZIP_ZIP64", where));
  else if (entry.disk !== 0) faults.push(fault("ZIP_MULTI_DISK", where, { expected: 0, actual: entry.disk }));
  if (flags & FLAG.descriptor) faults.push(fault("ZIP_DATA_DESCRIPTOR", where));
  if (flags & (FLAG.encrypted | FLAG.strong | FLAG.masked)) faults.push(fault("ZIP_ENCRYPTED", where));
  const known = FLAG.encrypted | FLAG.strong | FLAG.masked | FLAG.descriptor;
  const allowed = FLAG.utf8 | (method === DEFLATED ? DEFLATE_LEVEL : 0);
  if (flags & ~known & ~allowed)
    faults.push(fault("ZIP_FLAGS", where, { actual: `0x${flags.toString(16).padStart(4, "0")}` }));
  if (method !== STORED && method !== DEFLATED) faults.push(fault("ZIP_METHOD", where, { actual: method }));
  if (entry.extra.length > 0)
    faults.push(fault("ZIP_EXTRA_FIELD", where, { actual: `${entry.extra.length} bytes` }));
  if (entry.commentBytes > 0)
    faults.push(fault("ZIP_ENTRY_COMMENT", where, { actual: `${entry.commentBytes} bytes` }));
  if (entry.versionNeeded > VERSION_NEEDED)
    faults.push(
      fault("ZIP_VERSION_NEEDED", where, {
        expected: `at most ${VERSION_NEEDED}`,
        actual: entry.versionNeeded,
      }),
    );
  return faults;
}

/** A field that only ZIP64 can resolve, or ZIP64's own extra field. */
function isZip64(entry: DirectoryEntry): boolean {
  if ([entry.compressedBytes, entry.bytes, entry.offset].includes(0xffffffff) || entry.disk === 0xffff)
    return true;
  for (let at = 0; at + 4 <= entry.extra.length; at += 4 + entry.extra.readUInt16LE(at + 2))
    if (entry.extra.readUInt16LE(at) === ZIP64_EXTRA) return true;
  return false;
}

/** Attributes have a known meaning for two hosts only; the upper half is a unix mode where it is not 0. */
function judgeFileType({ where, host, attributes }: DirectoryEntry): Fault[] {
  const mode = attributes >>> 16;
  const type = mode & UNIX.type;
  const sound =
    (host === HOST.dos || host === HOST.unix) &&
    (type === 0 || type === UNIX.regular) &&
    (mode & UNIX.special) === 0 &&
    (attributes & DOS_FOLDER_OR_LABEL) === 0;
  if (sound) return [];
  const actual = `host ${host}, mode 0${mode.toString(8)}, attributes 0x${(attributes & 0xffff).toString(16)}`;
  return [fault("ZIP_FILE_TYPE", where, { expected: "a regular file", actual })];
}

function judgeSizes(entry: DirectoryEntry, caps: BundleCaps): Fault[] {
  const { where, bytes, compressedBytes, method } = entry;
  const faults: Fault[] = [];
  if (bytes > caps.memberBytes)
    faults.push(
      fault("ZIP_MEMBER_TOO_LARGE", where, { expected: `at most ${caps.memberBytes}`, actual: bytes }),
    );
  if (method === STORED && bytes !== compressedBytes)
    faults.push(fault("ZIP_STORED_SIZE", where, { expected: bytes, actual: compressedBytes }));
  if (method === DEFLATED && bytes > compressedBytes * LIMITS.inflateRatio)
    faults.push(
      fault("ZIP_RATIO", where, {
        expected: `at most ${LIMITS.inflateRatio}`,
        actual: `${bytes} : ${compressedBytes}`,
      }),
    );
  return faults;
}
