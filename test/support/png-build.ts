import { crc32, deflateSync } from "node:zlib";

/** IHDR's seven fields, valid or not. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  readonly colorType: number;
  readonly compression: number;
  readonly filter: number;
  readonly interlace: number;
}

export interface PngParts {
  readonly header: PngHeader;
  /** Whole chunks in place of the one IHDR. */
  readonly first: readonly Buffer[];
  /** Whole chunks between IHDR and IDAT. */
  readonly before: readonly Buffer[];
  /** Whole chunks in place of the one IDAT. */
  readonly data: readonly Buffer[];
  readonly after: readonly Buffer[];
  readonly last: Buffer;
  /** Bytes after everything. */
  readonly tail: Buffer;
}

export const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
export const GOOD_HEADER: PngHeader = {
  width: 7,
  height: 6,
  bitDepth: 8,
  colorType: 6,
  compression: 0,
  filter: 0,
  interlace: 0,
};

/** A chunk; `crc` overrides the right one. */
export function pngChunk(type: string, data: Uint8Array | string = "", crc?: number): Buffer {
  const body = Buffer.concat([
    Buffer.from(type, "latin1"),
    typeof data === "string" ? Buffer.from(data, "latin1") : data,
  ]);
  return Buffer.concat([u32(body.length - 4), body, u32(crc ?? crc32(body))]);
}

export const headerChunk = (header: Partial<PngHeader> = {}): Buffer => {
  const h = { ...GOOD_HEADER, ...header };
  const methods = Buffer.from([h.bitDepth, h.colorType, h.compression, h.filter, h.interlace]);
  return pngChunk("IHDR", Buffer.concat([u32(h.width), u32(h.height), methods]));
};

export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const pixelBytesOf = (header: PngHeader): number =>
  Math.ceil(((channels[header.colorType] ?? 1) * header.bitDepth) / 8);
export const rowBytesOf = (header: PngHeader): number =>
  Math.ceil(((channels[header.colorType] ?? 1) * header.bitDepth * header.width) / 8);

/** Samples that no filter leaves as they are: neither flat nor smooth. */
export const patternPixels = (header: PngHeader): Buffer =>
  Buffer.from(
    Array.from({ length: header.height * rowBytesOf(header) }, (_, i) => (i * i * 31 + i * 7) & 0xff),
  );

/** Rows with filter bytes, by PNG's definition word for word; `filters` are taken in turn. */
export function filterRows(header: PngHeader, pixels: Buffer, filters: readonly number[]): Buffer {
  const [bpp, length] = [pixelBytesOf(header), rowBytesOf(header)];
  const at = (row: number, i: number): number => (row < 0 || i < 0 ? 0 : (pixels[row * length + i] ?? 0));
  const rows = Array.from({ length: header.height }, (_, row) => {
    const filter = filters[row % filters.length] ?? 0;
    const bytes = Array.from({ length }, (_, i) => {
      const [a, b, c] = [at(row, i - bpp), at(row - 1, i), at(row - 1, i - bpp)];
      return (at(row, i) - predict(filter, { a, b, c })) & 0xff;
    });
    return Buffer.from([filter, ...bytes]);
  });
  return Buffer.concat(rows);
}

function predict(filter: number, { a, b, c }: { a: number; b: number; c: number }): number {
  if (filter === 1) return a;
  if (filter === 2) return b;
  if (filter === 3) return Math.floor((a + b) / 2);
  if (filter !== 4) return 0;
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}

/** The zlib stream of a patterned image in which every filter type occurs. */
export const goodStream = (header: Partial<PngHeader> = {}): Buffer => deflateSync(goodRows(header));
export const goodRows = (header: Partial<PngHeader> = {}): Buffer => {
  const whole = { ...GOOD_HEADER, ...header };
  return filterRows(whole, patternPixels(whole), [4, 0, 1, 2, 3, 4]);
};

/** A good canonical frame, 7 x 6 RGBA at 8 bit, but for what is given. */
export function buildPng(parts: Partial<PngParts> = {}): Buffer {
  const header = parts.header ?? GOOD_HEADER;
  return Buffer.concat([
    PNG_SIGNATURE,
    ...(parts.first ?? [headerChunk(header)]),
    ...(parts.before ?? []),
    ...(parts.data ?? [pngChunk("IDAT", goodStream(header))]),
    ...(parts.after ?? []),
    parts.last ?? pngChunk("IEND"),
    parts.tail ?? Buffer.alloc(0),
  ]);
}

export const gammaChunk = (): Buffer => pngChunk("gAMA", u32(45_455));
export const profileChunk = (stream: Uint8Array): Buffer =>
  pngChunk("iCCP", Buffer.concat([Buffer.from("p\0\0", "latin1"), stream]));
/** The good stream in two IDAT chunks. */
export function goodHalves(): [Buffer, Buffer] {
  const whole = goodStream();
  return [pngChunk("IDAT", whole.subarray(0, 40)), pngChunk("IDAT", whole.subarray(40))];
}
