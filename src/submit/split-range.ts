import type { Job } from "../../contracts/documents/job.ts";
import { FrameNumber } from "../../contracts/names.ts";
import { HandoffError } from "../core/error.ts";

export interface FrameRange {
  readonly first: number;
  readonly last: number;
}

const MOST_FRAMES = 10_000;

/** The two slots of an inclusive range; an odd frame goes to a. Throws USAGE_FRAMES. */
export function splitRange(range: FrameRange): Job["slots"] {
  const { first, last } = range;
  const count = last - first + 1;
  if (!FrameNumber.safeParse(first).success || !FrameNumber.safeParse(last).success)
    throw new HandoffError("USAGE_FRAMES", `${first}-${last} leaves what Blender can number.`);
  if (count < 2) throw new HandoffError("USAGE_FRAMES", `${first}-${last} has fewer than two frames.`);
  if (count > MOST_FRAMES)
    throw new HandoffError(
      "USAGE_FRAMES",
      `${count} frames are more than ${MOST_FRAMES}: submit a sequence.`,
    );
  const middle = first + Math.ceil(count / 2) - 1;
  return [
    { id: "a", first, last: middle },
    { id: "b", first: middle + 1, last },
  ];
}
