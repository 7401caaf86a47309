import { ZIP_LAYOUT } from "../../contracts/zip-layout.ts";

/** What a bundle says of a member, beside its bytes. */
export interface MemberRecord {
  readonly name: string;
  readonly crc: number;
  readonly bytes: number;
  /** Where its local header begins. */
  readonly at: number;
}

const VERSION_NEEDED = 20;
/** Unix, and the version of the specification. */
const VERSION_MADE_BY = (3 << 8) | 63;
const NAMES_ARE_UTF8 = 0x0800;
const STORED = 0;
/** 1980-01-01 00:00, the first time that there is. */
const TIME = 0;
const DATE = 0x0021;
const REGULAR_0644 = 0o100644 * 0x10000;

/** Local file header of the canonical layout, its name included. */
export const localHeader = (member: MemberRecord): Buffer => {
  const header = Buffer.alloc(ZIP_LAYOUT.localHeaderBytes);
  header.writeUInt32LE(0x04034b50, 0);
  writeCommon(header, 4, member);
  return Buffer.concat([header, Buffer.from(member.name, "latin1")]);
};

/** Central directory header of the canonical layout, its name included. */
export const centralHeader = (member: MemberRecord): Buffer => {
  const header = Buffer.alloc(ZIP_LAYOUT.centralHeaderBytes);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(VERSION_MADE_BY, 4);
  writeCommon(header, 6, member);
  header.writeUInt32LE(REGULAR_0644, 38);
  header.writeUInt32LE(member.at, 42);
  return Buffer.concat([header, Buffer.from(member.name, "latin1")]);
};

/** The fields that both headers have, from "version needed" to "extra field length", which stays 0. */
function writeCommon(header: Buffer, at: number, { crc, bytes, name }: MemberRecord): void {
  header.writeUInt16LE(VERSION_NEEDED, at);
  header.writeUInt16LE(NAMES_ARE_UTF8, at + 2);
  header.writeUInt16LE(STORED, at + 4);
  header.writeUInt16LE(TIME, at + 6);
  header.writeUInt16LE(DATE, at + 8);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(bytes, at + 14);
  header.writeUInt32LE(bytes, at + 18);
  header.writeUInt16LE(name.length, at + 22);
}

/** End of central directory of an archive of one part, without a comment. */
export function endRecord(directory: { at: number; bytes: number; members: number }): Buffer {
  const record = Buffer.alloc(ZIP_LAYOUT.endRecordBytes);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(directory.members, 8);
  record.writeUInt16LE(directory.members, 10);
  record.writeUInt32LE(directory.bytes, 12);
  record.writeUInt32LE(directory.at, 16);
  return record;
}
