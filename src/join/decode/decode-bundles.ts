import { BundleManifest } from "../../../contracts/documents/bundle-manifest.ts";
import { COLOR_TYPE } from "../../../contracts/documents/frame-entry.ts";
import type { Job } from "../../../contracts/documents/job.ts";
import type { Finding } from "../../../contracts/documents/join-report.ts";
import type { Slot } from "../../../contracts/flow.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import { frameName, framesOf, MANIFEST_NAME } from "../../../contracts/names.ts";
import type { BundleCaps } from "../../bundle/read.ts";
import { sha256 } from "../../core/digest.ts";
import type { Fault } from "../../core/fault.ts";
import { canonicalBytes } from "../../core/json/canonical.ts";
import { readDocument } from "../../core/json/read-document.ts";
import type { FrameFacts, FrameSpec } from "../../frame/spec.ts";
import type { BundleFacts, Read } from "../facts.ts";
import { finding, slotPath } from "../finding.ts";
import type { DecodeAnswer, DecodeTask } from "./messages.ts";
import type { Outcome, Pool } from "./pool.ts";

export type Decoders = Pool<DecodeTask, DecodeAnswer>;

/** What the job says about the frames of every bundle. */
export const frameSpec = ({ render }: Job): FrameSpec => ({
  width: render.width,
  height: render.height,
  bitDepth: render.output.bit_depth,
  colorType: COLOR_TYPE[render.output.color_mode],
});

/** Members are capped beside the job's own caps, so that a small frame_bytes never refuses a manifest. */
export const bundleCaps = ({ limits }: Job): BundleCaps => ({
  bundleBytes: limits.bundle_bytes,
  memberBytes: Math.max(limits.frame_bytes, LIMITS.jsonBytes),
  totalBytes: 16 * limits.bundle_bytes,
});

export const slotMembers = (job: Job, slot: Slot): { frames: number[]; members: string[] } => {
  const frames = job.slots.filter((range) => range.id === slot).flatMap(framesOf);
  return { frames, members: [...frames.map(frameName), MANIFEST_NAME] };
};

export interface BundleOnDisk {
  readonly slot: Slot;
  readonly path: string;
  readonly job: Job;
}

/** Decodes a slot's bundle: the archive, its manifest, and each frame as a task of its own. */
export async function decodeBundle(at: BundleOnDisk, decoders: Decoders): Promise<Read<BundleFacts | null>> {
  const { slot, path, job } = at;
  const { frames, members } = slotMembers(job, slot);
  const task = { path, members, caps: bundleCaps(job) };
  const opened = await decoders.run({ kind: "bundle", ...task, manifest: MANIFEST_NAME });
  const name = slotPath(slot, "bundle.zip");
  if (opened.ended !== "answered" || opened.answer.kind !== "bundle")
    return { value: null, findings: [undone(opened, { slot, frame: null, path: name })] };
  const { answer } = opened;
  const findings = answer.faults.map((one) => asFinding(one, { slot, frame: null, path: name }));
  const facts = { sha256: answer.sha256, bytes: answer.bytes };
  const sound = findings.length === 0;
  const manifest = answer.manifest === null ? null : narrowManifest(slot, answer.manifest, findings);
  const decoded = new Map<number, FrameFacts>();
  if (sound) {
    const outcomes = frames.map((frame) =>
      decoders.run({ kind: "frame", ...task, member: frameName(frame), expect: frameSpec(job) }),
    );
    for (const [index, outcome] of (await Promise.all(outcomes)).entries()) {
      const frame = frames[index] ?? 0;
      const place = { slot, frame, path: `${name}#${frameName(frame)}` };
      if (outcome.ended !== "answered" || outcome.answer.kind !== "frame")
        findings.push(undone(outcome, place));
      else {
        findings.push(...outcome.answer.faults.map((one) => asFinding(one, place)));
        if (outcome.answer.facts !== null) decoded.set(frame, outcome.answer.facts);
      }
    }
  }
  return { value: { ...facts, manifest, frames: decoded }, findings };
}

interface Where {
  readonly slot: Slot;
  readonly frame: number | null;
  readonly path: string;
}

const asFinding = (fault: Fault, { slot, frame, path }: Where): Finding => {
  const join = path.includes("#") ? "/" : "#";
  const { expected, actual } = fault;
  return finding(fault.code, { slot, frame, path: `${path}${join}${fault.where}`, expected, actual });
};

const UNDONE = {
  timeout: "JOIN_DECODE_TIMEOUT",
  memory: "JOIN_DECODE_MEMORY",
  crashed: "JOIN_DECODE_CRASHED",
} as const;

/** No verdict about the bytes: the machine's fault, so never a rejection. */
function undone(outcome: Outcome<DecodeAnswer>, place: Where): Finding {
  if (outcome.ended !== "answered")
    return finding(UNDONE[outcome.ended], { ...place, actual: outcome.detail });
  if (outcome.answer.kind !== "unreadable") return finding("JOIN_DECODE_CRASHED", place);
  return finding("JOIN_EVIDENCE_MISSING", { ...place, actual: outcome.answer.detail });
}

function narrowManifest(slot: Slot, bytes: Uint8Array, findings: Finding[]): BundleFacts["manifest"] {
  const path = slotPath(slot, "bundle.zip#manifest.json");
  const read = readDocument(BundleManifest, bytes);
  if (!read.ok) {
    findings.push(
      finding("JOIN_MANIFEST_INVALID", { slot, path: `${path}${read.path}`, actual: read.problem }),
    );
    return null;
  }
  if (!canonicalBytes(read.value).equals(bytes))
    findings.push(finding("JOIN_MANIFEST_INVALID", { slot, path, expected: "the canonical form" }));
  return { value: read.value, sha256: sha256(bytes) };
}
