import { crc32, deflateSync } from "node:zlib";
import { channelsOf, type FrameSpec } from "./spec.ts";

/** Pixels at most: without any compression they fit into 64 KiB. */
const PIXELS = 20_000;
const SIDE = 192;
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/**
 * A small picture of a frame, as a canonical PNG of 8-bit RGB: each pixel is the mean of those that it stands
 * for, at most 4 x 4 of them; alpha is left out. `rows` as `checkFrame` keeps them.
 */
export function shrinkFrame(spec: FrameSpec, rows: Uint8Array): Buffer {
  const shrink = Math.min(
    1,
    SIDE / spec.width,
    SIDE / spec.height,
    Math.sqrt(PIXELS / (spec.width * spec.height)),
  );
  const width = Math.max(1, Math.floor(spec.width * shrink));
  const height = Math.max(1, Math.floor(spec.height * shrink));
  const raw = Buffer.alloc(height * (width * 3 + 1));
  for (let y = 0; y < height; y += 1) {
    const row = y * (width * 3 + 1) + 1;
    for (let x = 0; x < width; x += 1) average(spec, rows, { x, y, width, height, raw, at: row + x * 3 });
  }
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

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly raw: Buffer;
  readonly at: number;
}

function average(spec: FrameSpec, rows: Uint8Array, { x, y, width, height, raw, at }: Spot): void {
  const [left, right] = span(x, width, spec.width);
  const [top, bottom] = span(y, height, spec.height);
  const bytes = spec.bitDepth / 8;
  const channels = channelsOf(spec);
  const [acrossStep, downStep] = [Math.ceil((right - left) / 4), Math.ceil((bottom - top) / 4)];
  const sum = [0, 0, 0];
  let count = 0;
  for (let row = top; row < bottom; row += downStep) {
    for (let column = left; column < right; column += acrossStep) {
      const pixel = (row * spec.width + column) * channels * bytes;
      for (let part = 0; part < 3; part += 1)
        sum[part] = (sum[part] ?? 0) + (rows[pixel + (channels === 1 ? 0 : part * bytes)] ?? 0);
      count += 1;
    }
  }
  for (let part = 0; part < 3; part += 1) raw[at + part] = Math.round((sum[part] ?? 0) / count);
}

/** The pixels that one stands for: from, and up to but without. */
const span = (index: number, of: number, full: number): [number, number] => {
  const from = Math.floor((index * full) / of);
  return [from, Math.max(from + 1, Math.floor(((index + 1) * full) / of))];
};

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}
