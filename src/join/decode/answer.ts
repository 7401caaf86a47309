import { realpathSync } from "node:fs";
import { LIMITS } from "../../../contracts/limits.ts";
import { type BundleMember, extractMember, openMember, readBundle } from "../../bundle/read.ts";
import { askSecondReader } from "../../bundle/second-reader.ts";
import { type BundleSource, type OpenedBundle, openBundleFile, SourceFault } from "../../bundle/source.ts";
import { type Bytes, bytesThrough } from "../../core/bytes.ts";
import { sha256Of } from "../../core/digest.ts";
import { systemCode } from "../../core/error.ts";
import { type Fault, fault } from "../../core/fault.ts";
import { checkFrameFile, type FrameFacts, type FrameSpec } from "../../frame/check-frame.ts";
import { type Look, seemsBlank, startLook } from "../content/look.ts";
import { secondDecoderBytes } from "../draw/second-decoder-bytes.ts";
import { firstOfEach } from "../fair-share.ts";
import { bareFacts } from "./bare-facts.ts";
import { beyondMemory } from "./beyond-memory.ts";
import { type Desk, openDesk } from "./desk.ts";
import type { DecodeAnswer, DecodeTask, InspectTask } from "./messages.ts";

/** Of all frames of a bundle, beside one of each code. */
const MOST_FAULTS = 20_000;
type BundleTask = DecodeTask & { kind: "bundle" };
type FrameTask = DecodeTask & { kind: "frame" };

/** Does one task on attacker-controlled bytes. What the machine fails at is an answer too, never a throw. */
export async function answerTo(task: DecodeTask, desk: Desk = openDesk(Infinity)): Promise<DecodeAnswer> {
  const opened = task.kind === "inspect" ? openGiven(task) : openBundleFile(task.path);
  if (!opened.ok) return { kind: "unreadable", detail: opened.detail };
  try {
    const answer = await answerFrom(opened, task, desk);
    // what is read more than once must have been the same each time
    return opened.unchanged() ? answer : { kind: "unreadable", detail: "written to while it was read" };
  } catch (thrown) {
    if (thrown instanceof SourceFault) return { kind: "unreadable", detail: thrown.message };
    throw thrown;
  } finally {
    opened.close();
  }
}

async function answerFrom(
  opened: OpenedBundle & { ok: true },
  task: DecodeTask,
  desk: Desk,
): Promise<DecodeAnswer> {
  switch (task.kind) {
    case "bundle":
      return bundleAnswer(opened.source, task, desk);
    case "frame":
      return frameAnswer(opened, task, desk);
    case "inspect": {
      const { inspectAnswer } = await import("./inspect-answer.ts"); // a verdict never needs it
      return inspectAnswer(opened, task, desk);
    }
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

async function bundleAnswer(source: BundleSource, task: BundleTask, { window }: Desk): Promise<DecodeAnswer> {
  const whole = bytesThrough(window, source, { from: 0, size: source.size });
  const digest = { sha256: source.size > task.caps.bundleBytes ? null : sha256Of(whole), bytes: source.size };
  const verdict = readBundle(source, { members: task.members, caps: task.caps });
  const refuse = (...faults: Fault[]): DecodeAnswer => ({
    kind: "bundle",
    ...digest,
    faults,
    manifest: null,
  });
  if (!verdict.ok) return refuse(...verdict.faults);
  const disagreements = await askSecondReader(source, verdict.members);
  if (disagreements.length > 0) return refuse(...disagreements);
  const member = verdict.members.find((one) => one.name === task.manifest);
  if (member === undefined) return refuse(missing(task.manifest));
  const beyond = manifestBeyond(member);
  if (beyond !== null) return refuse(beyond);
  const manifest = extractMember(source, member);
  return manifest.ok
    ? { kind: "bundle", ...digest, faults: [], manifest: manifest.bytes }
    : refuse(...manifest.faults);
}

/** A frame's cap may be far beyond what a document may be: that much is not unpacked to be refused. */
function manifestBeyond({ name, bytes, compressedBytes }: BundleMember): Fault | null {
  const most = Math.max(bytes, compressedBytes); // data that unpacks to less than itself is read all the same
  if (most <= LIMITS.jsonBytes) return null;
  return fault("ZIP_MEMBER_TOO_LARGE", name, { expected: `at most ${LIMITS.jsonBytes}`, actual: most });
}

async function frameAnswer(
  opened: OpenedBundle & { ok: true },
  task: FrameTask,
  { memoryBytes, window, layout }: Desk,
): Promise<DecodeAnswer> {
  // of ten thousand frames with a hundred faults each nobody could keep all
  const most = Math.max(1, Math.floor(MOST_FAULTS / task.members.length));
  const bound = (faults: readonly Fault[]): Fault[] => firstOfEach(faults, (one) => one.code, { most });
  const refuse = (...faults: Fault[]): DecodeAnswer => ({
    kind: "frame",
    facts: null,
    faults: bound(faults),
  });
  const verdict = layout.read(opened, { members: task.members, caps: task.caps });
  if (!verdict.ok) return refuse(...verdict.faults);
  const stated = verdict.members.find((one) => one.name === task.member);
  if (stated === undefined) return refuse(missing(task.member));
  const beyond = beyondMemory(stated.bytes + stated.compressedBytes, memoryBytes);
  if (beyond !== null) return refuse(beyond);
  const member = openMember(opened.source, stated, window);
  if (!member.ok) return refuse(...member.faults);
  const looking = startLook(task.expect);
  const frame = checkFrameFile(member.file, { expect: task.expect, look: () => looking.take });
  if (!frame.ok) return refuse(...frame.faults);
  const { warnings, facts } = frame;
  const other = task.second === true ? await askSecondDecoder(member.file, facts, memoryBytes) : [];
  if (other.length > 0) return refuse(...other);
  const look = looking.finish();
  return {
    kind: "frame",
    facts: bareFacts(facts),
    faults: bound(warnings),
    look: await lookAgain(look, member.file, task.expect),
  };
}

/** Samples of a frame that show nothing prove nothing: then every pixel is read. */
async function lookAgain(look: Look, file: Bytes, expect: FrameSpec): Promise<Look> {
  if (!seemsBlank(look.figures)) return look;
  const { lookCloser } = await import("../content/look-closer.ts"); // few frames need it
  return lookCloser(look, expect, (sink) => checkFrameFile(file, { expect, look: () => sink }));
}

/** pngjs must see the pixels that we see. It holds all of them, several times over. */
async function askSecondDecoder(file: Bytes, facts: FrameFacts, memoryBytes: number): Promise<Fault[]> {
  const beyond = beyondMemory(secondDecoderBytes(facts), memoryBytes);
  if (beyond !== null) return [beyond];
  const { secondOpinion } = await import("./second-opinion.ts"); // pngjs, where it is asked for
  return secondOpinion(file.read(0, file.size), facts);
}

const missing = (name: string): Fault => fault("ZIP_MEMBER_MISSING", name, { expected: name });
