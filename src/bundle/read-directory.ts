import { LIMITS } from "../../contracts/limits.ts";
import { ZIP_LAYOUT } from "../../contracts/zip-layout.ts";
import { type Fault, fault } from "../core/fault.ts";
import { isPlainName } from "./plain-name.ts";
import type { EndRecord } from "./read-end-record.ts";
import type { BundleSource } from "./source.ts";

/** One entry of the central directory, as stated. */
export interface DirectoryEntry {
  /** The name's bytes, as Latin-1; each character is one byte. */
  readonly name: string;
  /** For a fault: the name where it is harmless, else the entry's number. */
  readonly where: string;
  readonly host: number;
  readonly versionNeeded: number;
  readonly flags: number;
  readonly method: number;
  readonly time: number;
  readonly date: number;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  readonly extra: Buffer;
  readonly commentBytes: number;
  readonly disk: number;
  readonly attributes: number;
  readonly offset: number;
}

export interface Directory {
  readonly entries: readonly DirectoryEntry[];
  readonly faults: readonly Fault[];
  /** Whether the walk came out exactly at the end. */
  readonly whole: boolean;
}

const SIGNATURE = 0x02014b50;

/** ZIP rule 1: the directory is a row of whole entries that fills its bytes, as many as the end record says. */
export function readDirectory(source: BundleSource, record: EndRecord): Directory {
  const bytes = source.read(record.directoryOffset, record.directoryBytes);
  const entries: DirectoryEntry[] = [];
  const stop = (at: number): Directory => ({
    entries,
    faults: [fault("ZIP_DIRECTORY_INVALID", `central directory@${record.directoryOffset + at}`)],
    whole: false,
  });
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < ZIP_LAYOUT.centralHeaderBytes || bytes.readUInt32LE(at) !== SIGNATURE)
      return stop(at);
    const nameAt = at + ZIP_LAYOUT.centralHeaderBytes;
    const extraAt = nameAt + bytes.readUInt16LE(at + 28);
    const commentAt = extraAt + bytes.readUInt16LE(at + 30);
    const end = commentAt + bytes.readUInt16LE(at + 32);
    if (end > bytes.length) return stop(at);
    const name = bytes.toString("latin1", nameAt, extraAt);
    entries.push({
      name,
      where: isPlainName(name) ? name : `entry ${entries.length}`,
      host: bytes.readUInt8(at + 5),
      versionNeeded: bytes.readUInt16LE(at + 6),
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      time: bytes.readUInt16LE(at + 12),
      date: bytes.readUInt16LE(at + 14),
      crc32: bytes.readUInt32LE(at + 16),
      compressedBytes: bytes.readUInt32LE(at + 20),
      bytes: bytes.readUInt32LE(at + 24),
      extra: bytes.subarray(extraAt, commentAt),
      commentBytes: end - commentAt,
      disk: bytes.readUInt16LE(at + 34),
      attributes: bytes.readUInt32LE(at + 38),
      offset: bytes.readUInt32LE(at + 42),
    });
    at = end;
  }
  return { entries, faults: countFaults(entries.length, record.entries), whole: true };
}

function countFaults(found: number, stated: number): Fault[] {
  const faults: Fault[] = [];
  if (found !== stated)
    faults.push(fault("ZIP_COUNT_MISMATCH", "central directory", { expected: stated, actual: found }));
  if (found > LIMITS.zipMembers && stated <= LIMITS.zipMembers)
    faults.push(
      fault("ZIP_MEMBER_COUNT", "central directory", {
        expected: `at most ${LIMITS.zipMembers}`,
        actual: found,
      }),
    );
  return faults;
}
