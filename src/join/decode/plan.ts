import type { Job } from "../../../contracts/documents/job.ts";
import { SLOTS, type Slot } from "../../../contracts/flow.ts";
import { COLOR_TYPE, frameName, framesOf, MANIFEST_NAME } from "../../../contracts/frame-names.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import type { BundleCaps } from "../../bundle/read.ts";
import type { FrameSpec } from "../../frame/spec.ts";

/** All that decoding needs of a job. */
export interface DecodePlan {
  readonly spec: FrameSpec;
  readonly caps: BundleCaps;
  readonly slots: Readonly<
    Record<Slot, { readonly frames: readonly number[]; readonly members: readonly string[] }>
  >;
}

type Planned = Pick<Job, "slots" | "limits" | "render">;

export function planOf({ slots, limits, render }: Planned): DecodePlan {
  const [a, b] = SLOTS.map((slot) => {
    const frames = slots.filter((range) => range.id === slot).flatMap(framesOf);
    return { frames, members: [...frames.map(frameName), MANIFEST_NAME] };
  });
  const none = { frames: [], members: [] };
  return {
    spec: {
      width: render.width,
      height: render.height,
      bitDepth: render.output.bit_depth,
      colorType: COLOR_TYPE[render.output.color_mode],
    },
    // members are capped beside the job's own caps, so that a small frame_bytes never refuses a manifest
    caps: {
      bundleBytes: limits.bundle_bytes,
      memberBytes: Math.max(limits.frame_bytes, LIMITS.jsonBytes),
      totalBytes: 16 * limits.bundle_bytes,
    },
    slots: { a: a ?? none, b: b ?? none },
  };
}

/** Most frames of a guess: a longer range has time to wait for the schemas. */
const MOST_GUESSED = 1_000;

/**
 * The plan that job.json seems to ask for, before its schema is checked: only so that the decoders have work
 * while the schema library loads. Whoever uses what came of it holds it against planOf the checked job.
 */
export function guessPlan(bytes: Buffer): DecodePlan | null {
  try {
    const { slots, limits, render }: Planned = JSON.parse(bytes.toString("utf8"));
    if (slots.length !== 2) return null;
    const [a, b] = slots;
    const counts = [render.width, render.height, limits.bundle_bytes, limits.frame_bytes, a.first, b.last];
    if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0)) return null;
    if (!Object.hasOwn(COLOR_TYPE, render.output.color_mode) || ![8, 16].includes(render.output.bit_depth))
      return null;
    if (a.last < a.first || b.first !== a.last + 1 || b.last < b.first || b.last - a.first >= MOST_GUESSED)
      return null;
    return planOf({ slots, limits, render });
  } catch {
    return null; // whatever it is, the checks will say so
  }
}
