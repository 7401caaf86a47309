import { open } from "node:fs/promises";
import { join } from "node:path";
import { sha256, startSha256 } from "../../core/digest.ts";
import { HandoffError } from "../../core/error.ts";
import { readCapped } from "../../core/files/read-capped.ts";
import type { VerifiedFrames } from "../verdict.ts";
import { isDrawn } from "./draw-sequence.ts";
import { Preview } from "./preview.ts";

/** Of frames that are larger together, every second, fourth … is taken: a browser keeps all of them. */
const MOST_BYTES = 64 * 1024 * 1024;

interface WritePreview {
  readonly folder: string;
  readonly name: string;
  readonly verified: VerifiedFrames;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes an animated PNG of frames that lie in `folder` under their names, and gives back its SHA-256. Throws
 * JOIN_READBACK_FAILED when one of them is not what was verified, and what the file system throws.
 */
export async function writePreview({ folder, name, verified, signal }: WritePreview): Promise<string> {
  const { job, frames } = verified;
  const chosen = thinned(frames.filter((_, index) => isDrawn(index, frames.length)));
  const preview = new Preview(job.render, chosen.length);
  const digest = startSha256();
  const handle = await open(join(folder, name), "wx", 0o644);
  try {
    const write = async (bytes: Buffer): Promise<void> => {
      digest.update(bytes);
      await handle.writeFile(bytes);
    };
    for (const frame of chosen) {
      signal?.throwIfAborted();
      const read = await readCapped(join(folder, frame.member), frame.bytes);
      if (!read.ok || sha256(read.bytes) !== frame.sha256)
        throw new HandoffError("JOIN_READBACK_FAILED", frame.member);
      for (const bytes of preview.add(read.bytes)) await write(bytes);
    }
    await write(preview.end());
    await handle.sync();
  } finally {
    await handle.close();
  }
  return digest.digest("hex");
}

function thinned(frames: VerifiedFrames["frames"]): VerifiedFrames["frames"] {
  const bytes = frames.reduce((sum, frame) => sum + frame.bytes, 0);
  return bytes <= MOST_BYTES || frames.length < 4
    ? frames
    : thinned(frames.filter((_, index) => index % 2 === 0));
}
