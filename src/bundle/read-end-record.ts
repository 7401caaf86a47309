import { LIMITS } from "../../contracts/limits.ts";
import { ZIP_LAYOUT } from "../../contracts/zip-layout.ts";
import { type Fault, fault } from "../core/fault.ts";
import type { BundleSource } from "./source.ts";

export interface EndRecord {
  readonly entries: number;
  readonly directoryOffset: number;
  readonly directoryBytes: number;
}

export type EndVerdict =
  /** The directory can be walked; there may be faults all the same. */
  | { readonly ok: true; readonly record: EndRecord; readonly faults: readonly Fault[] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

const WHERE = "end record";
const SIGNATURE = 0x06054b50;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_LOCATOR_BYTES = 20;
const COMMENT_BYTES = 0xffff;

/**
 * ZIP rule 1: exactly one end record, the last 22 bytes. And what of other rules stands there: of ZIP rule 2 disks and
 * ZIP64, of ZIP rule 6 the caps on members and directory.
 */
export function readEndRecord(source: BundleSource): EndVerdict {
  const at = source.size - ZIP_LAYOUT.endRecordBytes;
  if (at < 0)
    return { ok: false, faults: [fault("ZIP_NOT_A_ZIP", WHERE, { actual: `${source.size} bytes` })] };
  const end = source.read(at, ZIP_LAYOUT.endRecordBytes);
  if (end.readUInt32LE(0) !== SIGNATURE) return { ok: false, faults: [findEarlier(source)] };

  const faults: Fault[] = [];
  const disks = [end.readUInt16LE(4), end.readUInt16LE(6)];
  const counts = [end.readUInt16LE(8), end.readUInt16LE(10)];
  const [onDisk = 0, entries = 0] = counts;
  const directoryBytes = end.readUInt32LE(12);
  const directoryOffset = end.readUInt32LE(16);
  const comment = end.readUInt16LE(20);
  if (comment > 0)
    faults.push(fault("ZIP_ARCHIVE_COMMENT", WHERE, { expected: 0, actual: `${comment} bytes` }));
  const saturated =
    [...disks, ...counts].includes(0xffff) || [directoryBytes, directoryOffset].includes(0xffffffff);
  if (saturated || hasLocator(source, at)) faults.push(fault("ZIP_ZIP64", WHERE));
  else if (disks.some((disk) => disk !== 0))
    faults.push(fault("ZIP_MULTI_DISK", WHERE, { actual: disks.join(", ") }));
  if (onDisk !== entries)
    faults.push(fault("ZIP_COUNT_MISMATCH", WHERE, { expected: entries, actual: onDisk }));
  if (entries > LIMITS.zipMembers)
    faults.push(
      fault("ZIP_MEMBER_COUNT", WHERE, { expected: `at most ${LIMITS.zipMembers}`, actual: entries }),
    );
  if (directoryBytes > LIMITS.zipDirectoryBytes && directoryBytes <= at)
    return {
      ok: false,
      faults: [...faults, fault("ZIP_DIRECTORY_TOO_LARGE", WHERE, { actual: directoryBytes })],
    };
  if (directoryOffset + directoryBytes !== at) {
    const actual = `${directoryOffset} + ${directoryBytes}`;
    return { ok: false, faults: [...faults, fault("ZIP_DIRECTORY_BOUNDS", WHERE, { expected: at, actual })] };
  }
  return { ok: true, record: { entries, directoryOffset, directoryBytes }, faults };
}

function hasLocator(source: BundleSource, end: number): boolean {
  const at = end - ZIP64_LOCATOR_BYTES;
  return at >= 0 && source.read(at, 4).readUInt32LE(0) === ZIP64_LOCATOR;
}

/** No end record at the end: is one before a comment, before other bytes, or nowhere near? */
function findEarlier(source: BundleSource): Fault {
  const length = Math.min(source.size, ZIP_LAYOUT.endRecordBytes + COMMENT_BYTES);
  const tail = source.read(source.size - length, length);
  const found = tail.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  const after = length - found - ZIP_LAYOUT.endRecordBytes;
  if (found < 0 || after < 0) return fault("ZIP_NOT_A_ZIP", WHERE);
  const comment = tail.readUInt16LE(found + 20);
  return comment === after
    ? fault("ZIP_ARCHIVE_COMMENT", WHERE, { expected: 0, actual: `${comment} bytes` })
    : fault("ZIP_TRAILING_DATA", WHERE, { expected: 0, actual: `${after} bytes` });
}
