import type { Random } from "./random.ts";

/** Fields by offset and size: of a local header, a directory entry and the end record. */
const LOCAL = [
  [0, 4],
  [4, 2],
  [6, 2],
  [8, 2],
  [10, 2],
  [12, 2],
  [14, 4],
  [18, 4],
  [22, 4],
  [26, 2],
  [28, 2],
] as const;
const CENTRAL = [
  [0, 4],
  [4, 1],
  [5, 1],
  [6, 2],
  [8, 2],
  [10, 2],
  [12, 2],
  [14, 2],
  [16, 4],
  [20, 4],
  [24, 4],
  [28, 2],
  [30, 2],
  [32, 2],
  [34, 2],
  [36, 2],
  [38, 4],
  [42, 4],
] as const;
const END = [
  [0, 4],
  [4, 2],
  [6, 2],
  [8, 2],
  [10, 2],
  [12, 4],
  [16, 4],
  [20, 2],
] as const;

/** Fields that both headers have, by their place in the local one; the entry's is two bytes further on. */
const ALIKE: Fields = [
  [4, 2],
  [6, 2],
  [8, 2],
  [10, 2],
  [14, 4],
  [18, 4],
  [22, 4],
];

interface Archive {
  /** Local header, name and data of each member. */
  readonly members: Buffer[];
  readonly entries: Buffer[];
  end: Buffer;
}

function split(zip: Buffer): Archive {
  const end = Buffer.from(zip.subarray(-22));
  const entries: Buffer[] = [];
  const offsets: number[] = [];
  let at = end.readUInt32LE(16);
  while (at < zip.length - 22) {
    const length = 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    entries.push(Buffer.from(zip.subarray(at, at + length)));
    offsets.push(zip.readUInt32LE(at + 42));
    at += length;
  }
  const bounds = [...offsets, end.readUInt32LE(16)];
  const members = offsets.map((from, index) => Buffer.from(zip.subarray(from, bounds[index + 1])));
  return { members, entries, end };
}

/** Puts it together; `mend` makes offsets, sizes and counts right again, so that the change alone is wrong. */
function whole({ members, entries, end }: Archive, mend: boolean): Buffer {
  const directoryAt = members.reduce((sum, one) => sum + one.length, 0);
  if (mend) {
    let at = 0;
    for (const [index, member] of members.entries()) {
      entries[index]?.writeUInt32LE(at, 42);
      at += member.length;
    }
    end.writeUInt16LE(entries.length & 0xffff, 8);
    end.writeUInt16LE(entries.length & 0xffff, 10);
    end.writeUInt32LE(
      entries.reduce((sum, one) => sum + one.length, 0),
      12,
    );
    end.writeUInt32LE(directoryAt, 16);
  }
  return Buffer.concat([...members, ...entries, end]);
}

/** One to three changes of a good archive; none makes other content and its CRC with it. */
export function mutateZip(good: Buffer, random: Random): Buffer {
  const archive = split(good);
  for (let left = 1 + random.under(3); left > 0; left -= 1) random.pick(CHANGES)(archive, random);
  const zip = whole(archive, random.under(3) > 0);
  switch (random.under(8)) {
    case 0:
      return Buffer.concat([random.bytes(1 + random.under(30)), zip]);
    case 1:
      return Buffer.concat([zip, random.bytes(1 + random.under(30))]);
    case 2:
      return Buffer.concat([zip, good]);
    case 3:
      return zip.subarray(0, random.under(zip.length));
    default:
      return zip;
  }
}

type Change = (archive: Archive, random: Random) => void;
type Fields = readonly (readonly [at: number, size: 1 | 2 | 4])[];

function changeField(record: Buffer | undefined, fields: Fields, random: Random): void {
  const [at, size] = fields[random.under(fields.length)] ?? [0, 1];
  if (record === undefined || record.length < at + size) return;
  record.writeUIntLE(random.odd(size, record.readUIntLE(at, size)), at, size);
}

const CHANGES: readonly [Change, ...Change[]] = [
  ({ members }, random) => changeField(members[random.under(members.length)], LOCAL, random),
  ({ entries }, random) => changeField(entries[random.under(entries.length)], CENTRAL, random),
  ({ end }, random) => changeField(end, END, random),
  // both headers alike
  ({ members, entries }, random) => {
    const at = random.under(members.length);
    const [member, entry] = [members[at], entries[at]];
    const [field, size] = ALIKE[random.under(ALIKE.length)] ?? [4, 2];
    if (member === undefined || entry === undefined) return;
    if (member.length < field + size || entry.length < field + 2 + size) return;
    const value = random.odd(size, member.readUIntLE(field, size));
    member.writeUIntLE(value, field, size);
    entry.writeUIntLE(value, field + 2, size);
  },
  // a byte of a name or of the data
  ({ members }, random) => {
    const member = members[random.under(members.length)];
    if (member === undefined || member.length < 31) return;
    member[30 + random.under(member.length - 30)] = random.under(256);
  },
  ({ entries }, random) => {
    const entry = entries[random.under(entries.length)];
    if (entry === undefined || entry.length < 47) return;
    entry[46 + random.under(entry.length - 46)] = random.under(256);
  },
  // members and entries doubled, moved, left out
  ({ members }, random) =>
    void members.splice(random.under(members.length + 1), 0, Buffer.from(members[0] ?? "")),
  ({ entries }, random) =>
    void entries.splice(random.under(entries.length + 1), 0, Buffer.from(entries[0] ?? "")),
  ({ members }) => void members.reverse(),
  ({ entries }) => void entries.reverse(),
  ({ members, entries }) => {
    members.reverse();
    entries.reverse();
  },
  ({ entries }) => void entries.pop(),
  // bytes between members, extra fields, comments
  ({ members }, random) =>
    void members.splice(random.under(members.length + 1), 0, random.bytes(1 + random.under(9))),
  ({ entries }, random) => {
    const at = random.under(entries.length);
    const entry = entries[at];
    if (entry === undefined || entry.length < 46) return;
    const more = random.bytes(random.under(20));
    const changed = Buffer.concat([entry, more]);
    changed.writeUInt16LE(more.length, random.pick([30, 32]));
    entries[at] = changed;
  },
  (archive, random) => {
    const comment = random.bytes(random.under(40));
    archive.end = Buffer.concat([archive.end, comment]);
    archive.end.writeUInt16LE(comment.length, 20);
  },
];
