import type { Slot } from "../../../contracts/flow.ts";
import { frameName, MANIFEST_NAME } from "../../../contracts/frame-names.ts";
import type { DecodeAnswer, DecodeTask } from "./messages.ts";
import type { DecodePlan } from "./plan.ts";
import type { Outcome, Pool } from "./pool.ts";

export type Decoders = Pool<DecodeTask, DecodeAnswer>;
type Decoded = Outcome<DecodeAnswer>;

/** How the tasks of one bundle ended: the archive with its manifest, then, later, each frame of the plan. */
export interface BundleOutcome {
  readonly bundle: Decoded;
  readonly frames: Promise<ReadonlyMap<number, Decoded>>;
}

export interface BundleOnDisk {
  readonly slot: Slot;
  readonly path: string;
  readonly plan: DecodePlan;
  /** pngjs decodes each frame too, and must see the same pixels. */
  readonly second: boolean;
}

/** Decodes a slot's bundle: the archive first; its frames, each as a task of its own, when it is sound. */
export async function runPlan(
  { slot, path, plan, second }: BundleOnDisk,
  decoders: Decoders,
): Promise<BundleOutcome> {
  const { frames, members } = plan.slots[slot];
  const task = { path, members, caps: plan.caps };
  const bundle = await decoders.run({ kind: "bundle", ...task, manifest: MANIFEST_NAME });
  if (bundle.ended !== "answered" || bundle.answer.kind !== "bundle" || bundle.answer.faults.length > 0)
    return { bundle, frames: Promise.resolve(new Map()) };
  const decoded = frames.map(
    async (frame): Promise<[number, Decoded]> => [
      frame,
      await decoders.run({ kind: "frame", ...task, member: frameName(frame), expect: plan.spec, second }),
    ],
  );
  return { bundle, frames: Promise.all(decoded).then((all) => new Map(all)) };
}
