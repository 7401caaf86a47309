import { deflateSync, inflateSync } from "node:zlib";
import { PNG_SIGNATURE, pngChunk, u32 } from "../../support/png-build.ts";
import type { Random } from "./random.ts";

interface Part {
  type: string;
  data: Buffer;
  /** Written in place of the right one. */
  crc?: number;
}

function partsOf(file: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    parts.push({
      type: file.toString("latin1", at + 4, at + 8),
      data: file.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return parts;
}

const TYPES = [
  "IHDR",
  "IDAT",
  "IEND",
  "PLTE",
  "tRNS",
  "gAMA",
  "cHRM",
  "sRGB",
  "iCCP",
  "cICP",
  "sBIT",
  "pHYs",
  "bKGD",
  "tEXt",
  "zTXt",
  "iTXt",
  "tIME",
  "eXIf",
  "acTL",
  "fcTL",
  "fdAT",
  "CgBI",
  "abCd",
  "abcd",
  "ABCD",
  "\0\0\0\0",
] as const;

/** One to three changes of a good file; none of them makes another picture and its checksums with it. */
export function mutatePng(good: Buffer, random: Random): Buffer {
  const parts = partsOf(good);
  for (let left = 1 + random.under(3); left > 0; left -= 1) random.pick(CHANGES)(parts, random);
  const file = Buffer.concat([
    PNG_SIGNATURE,
    ...parts.map((part) => pngChunk(part.type, part.data, part.crc)),
  ]);
  return random.under(4) === 0 ? damaged(file, random) : file;
}

/** Bytes changed without regard for what they are. */
function damaged(file: Buffer, random: Random): Buffer {
  const at = random.under(file.length);
  const changed = Buffer.from(file);
  switch (random.under(4)) {
    case 0:
      changed[at] = random.under(256);
      return changed;
    case 1:
      return changed.subarray(0, at);
    case 2:
      return Buffer.concat([changed, random.bytes(1 + random.under(20))]);
    default:
      return Buffer.concat([
        changed.subarray(0, at),
        random.bytes(1 + random.under(4)),
        changed.subarray(at),
      ]);
  }
}

type Change = (parts: Part[], random: Random) => void;

const anyOf = (parts: readonly Part[], random: Random): number => random.under(Math.max(1, parts.length));

function changeByte(part: Part | undefined, random: Random): void {
  if (part === undefined || part.data.length === 0) return;
  const data = Buffer.from(part.data);
  const at = random.under(data.length);
  data[at] = random.odd(1, data[at] ?? 0);
  part.data = data;
}

/** All image data as one stream, changed and cut into pieces again. */
function changeStream(parts: Part[], random: Random, change: (stream: Buffer) => Buffer): void {
  const first = parts.findIndex((part) => part.type === "IDAT");
  if (first < 0) return;
  const stream = Buffer.concat(parts.filter((part) => part.type === "IDAT").map((part) => part.data));
  const rest = parts.filter((part) => part.type !== "IDAT");
  const changed = change(stream);
  const cut = random.under(changed.length + 1);
  const pieces = [changed.subarray(0, cut), changed.subarray(cut)].slice(random.under(2));
  const whole = pieces.length === 2 ? pieces : [changed];
  parts.splice(0, parts.length, ...rest);
  parts.splice(Math.min(first, parts.length), 0, ...whole.map((data) => ({ type: "IDAT", data })));
}

const raw = (stream: Buffer): Buffer | null => {
  try {
    return inflateSync(stream);
  } catch {
    return null; // an earlier change broke it
  }
};

const CHANGES: readonly [Change, ...Change[]] = [
  // fields, their CRC right
  (parts, random) => changeByte(parts[0], random),
  (parts, random) => changeByte(parts[anyOf(parts, random)], random),
  (parts, random) => {
    const part = parts[anyOf(parts, random)];
    if (part !== undefined) part.type = random.pick(TYPES);
  },
  (parts, random) => {
    const part = parts[anyOf(parts, random)];
    if (part !== undefined) part.crc = random.under(2 ** 32);
  },
  // order and number of chunks
  (parts, random) => void parts.splice(anyOf(parts, random), 1),
  (parts, random) => {
    const part = parts[anyOf(parts, random)];
    if (part !== undefined) parts.splice(anyOf(parts, random), 0, { ...part });
  },
  (parts, random) => {
    const [part] = parts.splice(anyOf(parts, random), 1);
    if (part !== undefined) parts.splice(anyOf(parts, random), 0, part);
  },
  (parts, random) =>
    void parts.splice(anyOf(parts, random), 0, {
      type: random.pick(TYPES),
      data: random.bytes(random.under(40)),
    }),
  // the zlib stream
  (parts, random) => changeStream(parts, random, (stream) => stream),
  (parts, random) =>
    changeStream(parts, random, (stream) => stream.subarray(0, random.under(stream.length + 1))),
  (parts, random) =>
    changeStream(parts, random, (stream) => Buffer.concat([stream, random.bytes(1 + random.under(8))])),
  (parts, random) =>
    changeStream(parts, random, (stream) => {
      const changed = Buffer.from(stream);
      const at = random.under(Math.max(1, changed.length));
      if (changed.length > 0) changed[at] = random.under(256);
      return changed;
    }),
  // the header's window, its check bits right
  (parts, random) =>
    changeStream(parts, random, (stream) => {
      const changed = Buffer.from(stream);
      if (changed.length < 2) return changed;
      changed[0] = (random.under(10) << 4) | 8;
      const flags = random.under(8) << 5;
      changed[1] = flags | (31 - (((changed[0] << 8) | flags) % 31));
      return changed;
    }),
  // the same rows, packed otherwise; or some bytes fewer or more, packed soundly
  (parts, random) =>
    changeStream(parts, random, (stream) => {
      const rows = raw(stream);
      return rows === null
        ? stream
        : deflateSync(rows, { level: random.under(10), windowBits: 9 + random.under(7) });
    }),
  (parts, random) =>
    changeStream(parts, random, (stream) => {
      const rows = raw(stream);
      if (rows === null) return stream;
      const other =
        random.under(2) === 0
          ? rows.subarray(0, random.under(rows.length))
          : Buffer.concat([rows, random.bytes(9)]);
      return deflateSync(other);
    }),
  // a filter type that does not exist
  (parts, random) =>
    changeStream(parts, random, (stream) => {
      const rows = raw(stream);
      if (rows === null || rows.length === 0) return stream;
      rows[0] = 5 + random.under(250);
      return deflateSync(rows);
    }),
  // a huge size in a small file
  (parts) => {
    const head = parts[0];
    if (head?.type === "IHDR")
      head.data = Buffer.concat([u32(0x7fff_ffff), u32(0x7fff_ffff), head.data.subarray(8)]);
  },
];
