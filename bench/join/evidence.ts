import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Changes, FrameDraft } from "../../fixtures/evidence-maker/changes.ts";
import { evidence } from "../../fixtures/evidence-maker/good.ts";
import { chunksOf, pngOf } from "../../fixtures/evidence-maker/png.ts";

const WIDTH = 1_920;
const HEIGHT = 1_080;
/** Samples of one frame. */
export const RAW_BYTES = WIDTH * HEIGHT * 4;
export type Surface = "noisy" | "smooth";

/** Writes an evidence folder of six 1920 x 1080 RGBA frames, and the frames as files; returns their paths. */
export function writeEvidence(folder: string, frames: string, surface: Surface): string[] {
  const paths: string[] = [];
  mkdirSync(frames, { recursive: true });
  const draw = (drafts: FrameDraft[]): void => {
    for (const draft of drafts) {
      const shape = { width: WIDTH, height: HEIGHT, bitDepth: 8, colorType: 6 };
      draft.picture = { ...shape, rows: pixelsOf(draft.frame, surface) };
      draft.chunks = chunksOf(draft.picture);
      const path = join(frames, draft.member);
      writeFileSync(path, pngOf(draft.chunks));
      paths.push(path);
    }
  };
  const changes: Changes = {
    job: (job) => {
      job.render = { ...job.render, width: WIDTH, height: HEIGHT };
      job.limits = { ...job.limits, bundle_bytes: 2 ** 27, frame_bytes: 2 ** 25 };
    },
    a: { frames: draw },
    b: { frames: draw },
  };
  for (const [path, bytes] of evidence(changes)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return paths;
}

/** A shaded plane that turns a little each frame; as a path tracer leaves it, or denoised. */
function pixelsOf(frame: number, surface: Surface): Buffer {
  const grain = surface === "noisy" ? 15 : 0;
  const rows = Buffer.alloc(RAW_BYTES);
  let seed = frame;
  let at = 0;
  for (let y = 0; y < HEIGHT; y += 1)
    for (let x = 0; x < WIDTH; x += 1) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      const light = 40 + (x * 0.06 + y * 0.05 + frame) + ((seed >>> 16) & grain);
      rows[at] = light;
      rows[at + 1] = light * 0.9;
      rows[at + 2] = 200 - light * 0.5;
      rows[at + 3] = 255;
      at += 4;
    }
  return rows;
}
