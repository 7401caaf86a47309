import { join } from "node:path";
import { COLOR_TYPE, type FrameEntry } from "../../contracts/documents/frame-entry.ts";
import type { KeptKeyword } from "../../contracts/documents/frame-metadata.ts";
import type { Job } from "../../contracts/documents/job.ts";
import type { Slot } from "../../contracts/flow.ts";
import { framesOf } from "../../contracts/names.ts";
import type { ListedFrame } from "../blender/list-output.ts";
import { sha256, startSha256 } from "../core/digest.ts";
import { HandoffError } from "../core/error.ts";
import { harmless } from "../core/escape.ts";
import type { Fault } from "../core/fault.ts";
import { readCapped } from "../core/files/read-capped.ts";
import { writeDurable } from "../core/files/write-durable.ts";
import { releaseMemory } from "../core/release-memory.ts";
import { canonicalParts } from "../frame/canonical-frame.ts";
import { checkFrame, type FrameFacts, type FrameSpec } from "../frame/check-frame.ts";

export const slotFrames = (job: Job, slot: Slot): number[] =>
  job.slots.filter((one) => one.id === slot).flatMap(framesOf);

const specOf = (job: Job): FrameSpec => ({
  width: job.render.width,
  height: job.render.height,
  bitDepth: job.render.output.bit_depth,
  colorType: COLOR_TYPE[job.render.output.color_mode],
});

export interface Keeping {
  /** Where the canonical form goes. */
  readonly folder: string;
  /** Stamps that Blender was asked for, beside the frame's number. */
  readonly stamps?: readonly KeptKeyword[];
  /** Gets the text that the canonical form drops. */
  readonly onText?: (text: FrameFacts["text"]) => void;
}

/**
 * The strict check that join makes, then the canonical form, written durably; one frame in memory at a
 * time. Throws RENDER_FRAME_INVALID with the findings, or what reading the frame throws.
 */
export async function keepFrame(job: Job, listed: ListedFrame, keeping: Keeping): Promise<FrameEntry> {
  const raw = await listed.read();
  const facts = checked(job, listed.name, raw);
  checkStamp(listed, facts, keeping.stamps ?? []);
  keeping.onText?.(facts.text);
  const parts = canonicalParts(raw);
  await writeDurable(join(keeping.folder, listed.name), parts);
  const hash = startSha256();
  for (const part of parts) hash.update(part);
  const entry: FrameEntry = {
    frame: listed.frame,
    member: listed.name,
    bytes: parts.reduce((sum, part) => sum + part.byteLength, 0),
    sha256: hash.digest("hex"),
    width: facts.width,
    height: facts.height,
    bit_depth: facts.bitDepth,
    color_type: facts.colorType,
    pixels: { algorithm: "png-rows-v1", sha256: facts.pixelsSha256 },
  };
  releaseMemory(raw);
  return entry;
}

/** A kept frame of an earlier attempt: the same bytes and still good; null when it is not. */
export async function recheckFrame(job: Job, folder: string, entry: FrameEntry): Promise<Buffer | null> {
  const read = await readCapped(join(folder, entry.member), job.limits.frame_bytes);
  if (!read.ok || sha256(read.bytes) !== entry.sha256) return null;
  const verdict = checkFrame(read.bytes, { expect: specOf(job) });
  const same = verdict.ok && verdict.facts.canonical && verdict.facts.pixelsSha256 === entry.pixels.sha256;
  return same ? read.bytes : null;
}

function checked(job: Job, name: string, bytes: Buffer): FrameFacts {
  const verdict = checkFrame(bytes, { expect: specOf(job) });
  if (verdict.ok) return verdict.facts;
  const details = verdict.faults.map((one) => `${name}: ${told(one)}`);
  throw new HandoffError("RENDER_FRAME_INVALID", details[0], { details });
}

const told = (fault: Fault): string =>
  `${fault.code} at ${fault.where}` +
  (fault.expected === null ? "" : `, expected ${fault.expected}`) +
  (fault.actual === null ? "" : `, is ${fault.actual}`);

/** Stamps that the enforcing script turns off: a scene that carries one was not the one that was checked. */
const TURNED_OFF = [
  "Camera",
  "Date",
  "File",
  "FrameRange",
  "Hostname",
  "Lens",
  "Marker",
  "Memory",
  "Note",
  "RenderTime",
  "Scene",
  "Strip",
  "Time",
];

/** Blender's own stamp says which frame this is: it cannot be trusted, but it catches honest mix-ups. */
function checkStamp(listed: ListedFrame, facts: FrameFacts, asked: readonly string[]): void {
  const foreign = TURNED_OFF.find((name) => Object.hasOwn(facts.text, name) && !asked.includes(name));
  if (foreign !== undefined)
    throw new HandoffError(
      "RENDER_FRAME_INVALID",
      `${listed.name} carries the stamp ${foreign}: another scene, or other settings, than what was checked.`,
    );
  const stamp = facts.text["Frame"];
  if (stamp === undefined || Number(stamp) === listed.frame) return;
  throw new HandoffError(
    "RENDER_FRAME_INVALID",
    `${listed.name} is stamped as frame ${harmless(stamp, 40)}.`,
  );
}
