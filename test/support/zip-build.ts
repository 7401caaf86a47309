import { crc32, deflateRawSync } from "node:zlib";

/** Every field of a member's two headers; `local` overrides what the local one says. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
  /** The bytes in the archive; the content itself, or deflated, by default. */
  readonly data?: Buffer;
  readonly method?: number;
  readonly madeBy?: number;
  readonly versionNeeded?: number;
  readonly flags?: number;
  readonly time?: number;
  readonly date?: number;
  readonly crc?: number;
  readonly compressed?: number;
  readonly size?: number;
  readonly extra?: Buffer;
  readonly comment?: Buffer;
  readonly disk?: number;
  readonly attributes?: number;
  readonly offset?: number;
  readonly local?: Partial<Omit<ZipEntry, "local" | "content" | "data">>;
  /** Bytes before and after the member that belong to none. */
  readonly gapBefore?: Buffer;
  readonly gapAfter?: Buffer;
}

export interface ZipEnd {
  readonly disk?: number;
  readonly directoryDisk?: number;
  readonly onDisk?: number;
  readonly entries?: number;
  readonly directoryBytes?: number;
  readonly directoryOffset?: number;
  readonly commentBytes?: number;
  readonly comment?: Buffer;
  /** Bytes between directory and end record. */
  readonly before?: Buffer;
  /** Bytes after everything. */
  readonly tail?: Buffer;
}

const none = Buffer.alloc(0);
export const member = (name: string, fields: Partial<ZipEntry> = {}): ZipEntry => ({
  name,
  content: Buffer.from(`content of ${name}`),
  ...fields,
});

/** Names a byte a character, so that any bytes can be made. */
function record(
  parts: readonly (readonly [bytes: 2 | 4, value: number])[],
  ...tail: readonly Buffer[]
): Buffer {
  const fields = parts.map(([bytes, value]) => {
    const field = Buffer.alloc(bytes);
    field.writeUIntLE(value, 0, bytes);
    return field;
  });
  return Buffer.concat([...fields, ...tail]);
}

type Common = Required<
  Pick<ZipEntry, "method" | "versionNeeded" | "flags" | "time" | "date" | "crc" | "compressed" | "size">
>;

const commonFields = (entry: ZipEntry, data: Buffer, override: Partial<ZipEntry> = {}): Common => ({
  method: override.method ?? entry.method ?? 0,
  versionNeeded: override.versionNeeded ?? entry.versionNeeded ?? 20,
  flags: override.flags ?? entry.flags ?? 0x0800,
  time: override.time ?? entry.time ?? 0,
  date: override.date ?? entry.date ?? 0x21,
  crc: override.crc ?? entry.crc ?? crc32(entry.content),
  compressed: override.compressed ?? entry.compressed ?? data.length,
  size: override.size ?? entry.size ?? entry.content.length,
});

const commonRecord = (fields: Common): [2 | 4, number][] => [
  [2, fields.versionNeeded],
  [2, fields.flags],
  [2, fields.method],
  [2, fields.time],
  [2, fields.date],
  [4, fields.crc],
  [4, fields.compressed],
  [4, fields.size],
];

const dataOf = (entry: ZipEntry): Buffer =>
  entry.data ?? (entry.method === 8 ? deflateRawSync(entry.content) : entry.content);

export function localHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.local?.name ?? entry.name, "latin1");
  const extra = entry.local?.extra ?? none;
  const fields = commonRecord(commonFields(entry, dataOf(entry), entry.local));
  return record([[4, 0x04034b50], ...fields, [2, name.length], [2, extra.length]], name, extra);
}

export function centralHeader(entry: ZipEntry, offset: number): Buffer {
  const name = Buffer.from(entry.name, "latin1");
  const [extra, comment] = [entry.extra ?? none, entry.comment ?? none];
  return record(
    [
      [4, 0x02014b50],
      [2, entry.madeBy ?? 0x033f],
      ...commonRecord(commonFields(entry, dataOf(entry))),
      [2, name.length],
      [2, extra.length],
      [2, comment.length],
      [2, entry.disk ?? 0],
      [2, 0],
      [4, entry.attributes ?? 0o100644 * 0x10000],
      [4, entry.offset ?? offset],
    ],
    name,
    extra,
    comment,
  );
}

/** An archive that is canonical but for what the fields say. `order` is that of the directory. */
export function buildZip(entries: readonly ZipEntry[], end: ZipEnd = {}, order?: readonly number[]): Buffer {
  const pieces: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  const put = (piece: Buffer): void => {
    pieces.push(piece);
    at += piece.length;
  };
  for (const entry of entries) {
    put(entry.gapBefore ?? none);
    offsets.push(at);
    put(localHeader(entry));
    put(dataOf(entry));
    put(entry.gapAfter ?? none);
  }
  const listed = (order ?? entries.map((_, index) => index)).flatMap((index) => {
    const entry = entries[index];
    return entry === undefined ? [] : [centralHeader(entry, offsets[index] ?? 0)];
  });
  const directory = Buffer.concat(listed);
  const comment = end.comment ?? none;
  const endRecord = record(
    [
      [4, 0x06054b50],
      [2, end.disk ?? 0],
      [2, end.directoryDisk ?? 0],
      [2, end.onDisk ?? listed.length],
      [2, end.entries ?? listed.length],
      [4, end.directoryBytes ?? directory.length],
      [4, end.directoryOffset ?? at],
      [2, end.commentBytes ?? comment.length],
    ],
    comment,
  );
  return Buffer.concat([...pieces, directory, end.before ?? none, endRecord, end.tail ?? none]);
}
