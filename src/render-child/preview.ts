import { frameName } from "../../contracts/names.ts";
import { readCappedFrame } from "../blender/read-output.ts";
import { releaseMemory } from "../core/release-memory.ts";
import { checkFrame, type FrameSpec, type RowSink } from "../frame/check-frame.ts";
import { type ShrinkingFrame, startShrink } from "../frame/shrink-frame.ts";

export interface PreviewOptions {
  readonly folder: string;
  /** In the order in which they are rendered. */
  readonly frames: readonly number[];
  readonly frameBytes: number;
  readonly show: (frame: number, png: Buffer) => void;
}

/** Frames with more pixels are not decoded twice, only for a picture. */
const MOST_PIXELS = 4_096 * 4_096;

/**
 * Shows the last finished frame while the next ones are rendered: small, and only when it passes the gate of
 * every frame. It proves nothing and fails nothing: the listing after the render is what counts.
 */
export function openPreviews({ folder, frames, frameBytes, show }: PreviewOptions) {
  let shown = 0;
  let busy = false;
  const draw = async (count: number): Promise<void> => {
    const frame = frames[count - 1];
    if (frame === undefined) return;
    const bytes = await readCappedFrame({ folder, name: frameName(frame), frameBytes });
    const header = bytes.length > 24 ? bytes.readUInt32BE(16) * bytes.readUInt32BE(20) : Infinity;
    if (header > MOST_PIXELS) return;
    const pictures: ShrinkingFrame[] = [];
    const look = (spec: FrameSpec): RowSink => {
      const picture = startShrink(spec);
      pictures.push(picture);
      return picture.take;
    };
    const verdict = checkFrame(bytes, { expect: null, look });
    releaseMemory(bytes);
    const [picture] = pictures;
    if (verdict.ok && picture !== undefined) show(frame, picture.finish());
  };
  return {
    /** How many frames Blender says it has saved; one at a time is looked at, the newest. */
    finished: (count: number): void => {
      if (busy || count <= shown) return;
      busy = true;
      shown = count;
      draw(count)
        .catch(() => {})
        .finally(() => {
          busy = false;
        });
    },
  };
}
