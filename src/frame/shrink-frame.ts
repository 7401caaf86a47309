import { crc32, deflateSync } from "node:zlib";
import { channelsOf, type FrameSpec, type RowSink, rowShape } from "./spec.ts";

/** Pixels at most: without any compression they fit into 64 KiB. */
const PIXELS = 20_000;
const SIDE = 192;
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

export interface ShrinkingFrame {
  /** Takes each row once, from the first on. */
  readonly take: RowSink;
  /** The picture, once all rows were taken. */
  finish(): Buffer;
}

/**
 * A small picture of a frame, as a canonical PNG of 8-bit RGB: each pixel is the mean of those that it stands
 * for, at most 4 x 4 of them; alpha is left out. Made from the rows as `checkFrame` shows them: the frame is
 * never in memory.
 */
export function startShrink(spec: FrameSpec): ShrinkingFrame {
  const shrink = Math.min(
    1,
    SIDE / spec.width,
    SIDE / spec.height,
    Math.sqrt(PIXELS / (spec.width * spec.height)),
  );
  const width = Math.max(1, Math.floor(spec.width * shrink));
  const height = Math.max(1, Math.floor(spec.height * shrink));
  const raw = Buffer.alloc(height * (width * 3 + 1));
  const sums = new Float64Array(width * 3);
  const columns = Array.from({ length: width }, (_, x) => picked(x, width, spec.width));
  const rowBytes = rowShape(spec).rowBytes;
  let [y, taken] = [0, 0];
  const takeRow = (row: Uint8Array, at: number): void => {
    const { from, to, step } = picked(y, height, spec.height);
    if ((at - from) % step === 0) {
      addRow(row, { spec, columns, sums });
      taken += 1;
    }
    if (at + 1 < to) return;
    const start = y * (width * 3 + 1) + 1;
    for (const [x, { count }] of columns.entries())
      for (let part = 0; part < 3; part += 1)
        raw[start + x * 3 + part] = Math.round((sums[x * 3 + part] ?? 0) / (count * taken));
    sums.fill(0);
    taken = 0;
    y += 1;
  };
  return {
    take: (rows, first) => {
      for (let at = 0; at * rowBytes < rows.length; at += 1)
        takeRow(rows.subarray(at * rowBytes, (at + 1) * rowBytes), first + at);
    },
    finish: () => encode(raw, width, height),
  };
}

/** The rows or columns that one of the picture stands for, and which of them are looked at. */
interface Picked {
  readonly from: number;
  /** The first that is not. */
  readonly to: number;
  readonly step: number;
  readonly count: number;
}

function picked(index: number, of: number, full: number): Picked {
  const from = Math.floor((index * full) / of);
  const to = Math.max(from + 1, Math.floor(((index + 1) * full) / of));
  const step = Math.ceil((to - from) / 4);
  return { from, to, step, count: Math.ceil((to - from) / step) };
}

function addRow(
  row: Uint8Array,
  { spec, columns, sums }: { spec: FrameSpec; columns: readonly Picked[]; sums: Float64Array },
): void {
  const bytes = spec.bitDepth / 8;
  const channels = channelsOf(spec);
  for (const [x, { from, to, step }] of columns.entries())
    for (let column = from; column < to; column += step)
      for (let part = 0; part < 3; part += 1) {
        const sample = row[(column * channels + (channels === 1 ? 0 : part)) * bytes] ?? 0;
        sums[x * 3 + part] = (sums[x * 3 + part] ?? 0) + sample;
      }
}

function encode(raw: Buffer, width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const image = deflateSync(raw, { level: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", image),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}
