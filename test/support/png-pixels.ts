import { PNG } from "pngjs";
import type { FrameSpec } from "../../src/frame/check-frame.ts";

/** What pngjs sees of a frame that passed our gate, as rows of the file's own samples, big-endian. */
export function pngjsRows(bytes: Buffer, spec: FrameSpec): Buffer {
  const { data } = PNG.sync.read(bytes, { skipRescale: true });
  const samples = spec.bitDepth === 16 ? new Uint16Array(data.buffer, data.byteOffset, data.length) : data;
  const channels = { 0: 1, 2: 3, 6: 4 }[spec.colorType];
  const rows = Buffer.alloc((spec.width * spec.height * channels * spec.bitDepth) / 8);
  const size = spec.bitDepth / 8;
  for (let pixel = 0; pixel < spec.width * spec.height; pixel += 1)
    for (let channel = 0; channel < channels; channel += 1)
      rows.writeUIntBE(samples[pixel * 4 + channel] ?? 0, (pixel * channels + channel) * size, size);
  return rows;
}
