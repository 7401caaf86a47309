import { ZIP_LAYOUT } from "../../contracts/zip-layout.ts";
import { harmless } from "../core/escape.ts";
import { type Fault, fault } from "../core/fault.ts";
import type { DirectoryEntry } from "./read-directory.ts";
import type { BundleSource } from "./source.ts";

/** The bytes of the archive that one member takes: from its local header to the end of its data. */
export interface MemberExtent {
  readonly entry: DirectoryEntry;
  readonly dataOffset: number;
  readonly end: number;
}

export interface LocalHeaders {
  readonly faults: readonly Fault[];
  /** One for each entry, in the directory's order; null where a local header is missing. */
  readonly extents: readonly MemberExtent[] | null;
}

const SIGNATURE = 0x04034b50;

/** ZIP rule 3: every local header is there and equals its directory entry, field by field. */
export function readLocalHeaders(
  source: BundleSource,
  entries: readonly DirectoryEntry[],
  directoryOffset: number,
): LocalHeaders {
  const faults: Fault[] = [];
  const extents: MemberExtent[] = [];
  for (const entry of entries) {
    const length = ZIP_LAYOUT.localHeaderBytes + entry.name.length;
    const inside = entry.offset + length <= directoryOffset;
    const header = inside ? source.read(entry.offset, length) : null;
    if (header === null || header.readUInt32LE(0) !== SIGNATURE) {
      faults.push(fault("ZIP_LOCAL_HEADER_MISSING", entry.where, { actual: `@${entry.offset}` }));
      continue;
    }
    faults.push(...compare(header, entry));
    const extraBytes = header.readUInt16LE(28);
    if (extraBytes > 0)
      faults.push(fault("ZIP_EXTRA_FIELD", entry.where, { actual: `${extraBytes} bytes, local` }));
    const dataOffset = entry.offset + ZIP_LAYOUT.localHeaderBytes + header.readUInt16LE(26) + extraBytes;
    extents.push({ entry, dataOffset, end: dataOffset + entry.compressedBytes });
  }
  return { faults, extents: extents.length === entries.length ? extents : null };
}

function compare(header: Buffer, entry: DirectoryEntry): Fault[] {
  const fields: readonly (readonly [name: string, local: number | string, central: number | string])[] = [
    ["version needed", header.readUInt16LE(4), entry.versionNeeded],
    ["flags", header.readUInt16LE(6), entry.flags],
    ["method", header.readUInt16LE(8), entry.method],
    ["time", header.readUInt16LE(10), entry.time],
    ["date", header.readUInt16LE(12), entry.date],
    ["crc32", header.readUInt32LE(14), entry.crc32],
    ["compressed size", header.readUInt32LE(18), entry.compressedBytes],
    ["size", header.readUInt32LE(22), entry.bytes],
    ["name length", header.readUInt16LE(26), entry.name.length],
    ["name", header.toString("latin1", ZIP_LAYOUT.localHeaderBytes), entry.name],
  ];
  return fields
    .filter(([, local, central]) => local !== central)
    .map(([name, local, central]) => {
      const shown = (value: number | string): string => `${name} ${harmless(String(value))}`;
      return fault("ZIP_LOCAL_HEADER_MISMATCH", entry.where, {
        expected: shown(central),
        actual: shown(local),
      });
    });
}
