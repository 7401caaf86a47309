import { SlotResult } from "../../../contracts/documents/slot-result.ts";
import { readStored } from "../queue/payload.ts";
import type { ReadRows } from "../queue/store.ts";
import type { ContentsView, SubmissionView } from "./view.ts";

const SUBMISSIONS = 5;
const FRAMES = 250;

/** The last submissions of a slot, newest first; `whole` reads what is in them. */
export async function readSubmissions(
  rows: ReadRows,
  taskId: string,
  whole: boolean,
): Promise<SubmissionView[]> {
  const [stamps, objects] = await Promise.all([
    rows.stamps(taskId, SUBMISSIONS),
    whole ? rows.objectVersions(taskId) : [],
  ]);
  return stamps.map((stamp) => {
    const object = objects.find((one) => one.version === stamp.version);
    return {
      version: stamp.version,
      sha256: stamp.sha256,
      at: stamp.createdAt,
      by: { id: stamp.producerId, name: stamp.producer },
      contents: object === undefined ? null : contentsOf(object.payload),
    };
  });
}

function contentsOf(payload: string): ContentsView | null {
  const read = SlotResult.safeParse(readStored(payload));
  if (!read.success) return null;
  const { bundle, manifest_sha256, frames } = read.data;
  return {
    bundleSha256: bundle.sha256,
    bundleBytes: bundle.bytes,
    manifestSha256: manifest_sha256,
    frames: frames.slice(0, FRAMES).map(({ frame, bytes, sha256 }) => ({ frame, bytes, sha256 })),
    more: Math.max(0, frames.length - FRAMES),
  };
}
