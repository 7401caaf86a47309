import { PNG } from "pngjs";
import { startSha256 } from "../../core/digest.ts";
import type { FrameSpec } from "../../frame/spec.ts";

export interface SecondView {
  /** RGBA samples, 8 or 16 bit. */
  readonly samples: ArrayLike<number>;
  /** `png-rows-v1` of what pngjs sees. */
  readonly pixelsSha256: string;
}

/** For PNG rule 7: pngjs's pixels of a frame that passed our own gate; pngjs alone is no judge. Throws what pngjs throws. */
export function decodeAgain(file: Buffer, spec: FrameSpec): SecondView {
  const samples: ArrayLike<number> = PNG.sync.read(file, { skipRescale: true }).data;
  return { samples, pixelsSha256: digestOf(samples, spec) };
}

const KEPT = { 0: [0], 2: [0, 1, 2], 6: [0, 1, 2, 3] } as const;

/** pngjs hands out RGBA whatever the file holds: back to the file's own rows, sixteen bits big-endian. */
function digestOf(samples: ArrayLike<number>, { width, height, bitDepth, colorType }: FrameSpec): string {
  const kept = KEPT[colorType];
  const stride = (width * kept.length * bitDepth) / 8;
  const digest = startSha256().update(`${width} ${height} ${bitDepth} ${colorType}\n`);
  const row = Buffer.alloc(stride);
  for (let y = 0; y < height; y += 1) {
    let at = 0;
    for (let pixel = y * width * 4; pixel < (y + 1) * width * 4; pixel += 4)
      for (const channel of kept) {
        const value = samples[pixel + channel] ?? 0;
        if (bitDepth === 16) {
          row[at] = value >> 8;
          at += 1;
        }
        row[at] = value & 255;
        at += 1;
      }
    digest.update(row);
  }
  return digest.digest("hex");
}
