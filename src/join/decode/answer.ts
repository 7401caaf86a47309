import { realpathSync } from "node:fs";
import { LIMITS } from "../../../contracts/limits.ts";
import { type BundleMember, extractMember, readBundle } from "../../bundle/read.ts";
import { askSecondReader } from "../../bundle/second-reader.ts";
import { type BundleSource, type OpenedBundle, openBundleFile, SourceFault } from "../../bundle/source.ts";
import { startSha256 } from "../../core/digest.ts";
import { systemCode } from "../../core/error.ts";
import { type Fault, fault } from "../../core/fault.ts";
import { checkFrame, type FrameFacts } from "../../frame/check-frame.ts";
import { startLook } from "../content/look.ts";
import { beyondMemory } from "./beyond-memory.ts";
import { LastLayout } from "./last-layout.ts";
import type { DecodeAnswer, DecodeTask, InspectTask } from "./messages.ts";
import { Scratch } from "./scratch.ts";

type BundleTask = DecodeTask & { kind: "bundle" };
type FrameTask = DecodeTask & { kind: "frame" };

const PIECE = 256 * 1024;

/** What a thread has for one task after another. */
export interface Desk {
  /** The most that one frame's file may take. */
  readonly memoryBytes: number;
  readonly scratch: Scratch;
  readonly layout: LastLayout;
}

const freshDesk = (): Desk => ({
  memoryBytes: Infinity,
  scratch: new Scratch(),
  layout: new LastLayout(),
});

/** Does one task on attacker-controlled bytes. What the machine fails at is an answer too, never a throw. */
export async function answerTo(task: DecodeTask, desk: Desk = freshDesk()): Promise<DecodeAnswer> {
  const opened = task.kind === "inspect" ? openGiven(task) : openBundleFile(task.path);
  if (!opened.ok) return { kind: "unreadable", detail: opened.detail };
  try {
    switch (task.kind) {
      case "bundle":
        return await bundleAnswer(opened.source, task);
      case "frame":
        return await frameAnswer(opened, task, desk);
      case "inspect": {
        const { inspectAnswer } = await import("./inspect-answer.ts"); // a verdict never needs it
        return await inspectAnswer(opened.source, task, desk.memoryBytes);
      }
    }
  } catch (thrown) {
    if (thrown instanceof SourceFault) return { kind: "unreadable", detail: thrown.message };
    throw thrown;
  } finally {
    opened.close();
  }
}

/** A file that a person names may be a link; one of the evidence never. */
function openGiven({ path }: InspectTask): OpenedBundle {
  try {
    return openBundleFile(realpathSync.native(typeof path === "string" ? path : Buffer.from(path), "buffer"));
  } catch (thrown) {
    const detail = systemCode(thrown);
    if (detail === undefined) throw thrown;
    return { ok: false, why: "unreadable", detail };
  }
}

async function bundleAnswer(source: BundleSource, task: BundleTask): Promise<DecodeAnswer> {
  const digest = { sha256: digestOf(source, task.caps.bundleBytes), bytes: source.size };
  const verdict = readBundle(source, { members: task.members, caps: task.caps });
  if (!verdict.ok) return { kind: "bundle", ...digest, faults: verdict.faults, manifest: null };
  const disagreements = await askSecondReader(source, verdict.members);
  if (disagreements.length > 0) return { kind: "bundle", ...digest, faults: disagreements, manifest: null };
  const beyond = manifestBeyond(verdict.members, task.manifest);
  if (beyond !== null) return { kind: "bundle", ...digest, faults: [beyond], manifest: null };
  const manifest = memberBytes(source, verdict.members, { name: task.manifest });
  return manifest.ok
    ? { kind: "bundle", ...digest, faults: [], manifest: manifest.bytes }
    : { kind: "bundle", ...digest, faults: manifest.faults, manifest: null };
}

/** A frame's cap may be far beyond what a document may be: that much is not unpacked to be refused. */
function manifestBeyond(members: readonly BundleMember[], name: string): Fault | null {
  const bytes = members.find((one) => one.name === name)?.bytes ?? 0;
  if (bytes <= LIMITS.jsonBytes) return null;
  return fault("ZIP_MEMBER_TOO_LARGE", name, { expected: `at most ${LIMITS.jsonBytes}`, actual: bytes });
}

async function frameAnswer(
  opened: OpenedBundle & { ok: true },
  task: FrameTask,
  { memoryBytes, scratch, layout }: Desk,
): Promise<DecodeAnswer> {
  const { source } = opened;
  const verdict = layout.read(opened, { members: task.members, caps: task.caps });
  if (!verdict.ok) return { kind: "frame", facts: null, faults: verdict.faults };
  const stated = verdict.members.find((one) => one.name === task.member);
  const beyond =
    stated === undefined ? null : beyondMemory(stated.bytes + stated.compressedBytes, memoryBytes);
  if (beyond !== null) return { kind: "frame", facts: null, faults: [beyond] };
  const member = memberBytes(source, verdict.members, {
    name: task.member,
    into: scratch.take(stated?.compressedBytes ?? 0),
  });
  if (!member.ok) return { kind: "frame", facts: null, faults: member.faults };
  const looking = startLook(task.expect);
  const frame = checkFrame(member.bytes, { expect: task.expect, look: () => looking.take });
  if (!frame.ok) return { kind: "frame", facts: null, faults: frame.faults };
  const { warnings, facts } = frame;
  const other = task.second === true ? await askSecondDecoder(member.bytes, facts) : [];
  scratch.rest();
  return other.length > 0
    ? { kind: "frame", facts: null, faults: other }
    : { kind: "frame", facts, faults: warnings, look: looking.finish() };
}

/** pngjs must see the pixels that we see. */
async function askSecondDecoder(bytes: Buffer, facts: FrameFacts): Promise<Fault[]> {
  const { secondOpinion } = await import("./second-opinion.ts"); // pngjs, where it is asked for
  return secondOpinion(bytes, facts);
}

type Extracted = { ok: true; bytes: Buffer } | { ok: false; faults: readonly Fault[] };

function memberBytes(
  source: BundleSource,
  members: readonly BundleMember[],
  { name, into }: { readonly name: string; readonly into?: Buffer },
): Extracted {
  const member = members.find((one) => one.name === name);
  if (member !== undefined) return extractMember(source, member, into);
  return { ok: false, faults: [{ code: "ZIP_MEMBER_MISSING", where: name, expected: name, actual: null }] };
}

function digestOf(source: BundleSource, cap: number): string | null {
  if (source.size > cap) return null;
  const digest = startSha256();
  const piece = Buffer.allocUnsafeSlow(PIECE);
  for (let at = 0; at < source.size; at += PIECE)
    digest.update(source.read(at, Math.min(PIECE, source.size - at), piece));
  return digest.digest("hex");
}
