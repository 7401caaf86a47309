import { type BundleMember, extractMember, readBundle } from "../../bundle/read.ts";
import { askSecondReader } from "../../bundle/second-reader.ts";
import { type BundleSource, openBundleFile, SourceFault } from "../../bundle/source.ts";
import { startSha256 } from "../../core/digest.ts";
import type { Fault } from "../../core/fault.ts";
import { releaseMemory } from "../../core/release-memory.ts";
import { checkFrame } from "../../frame/check-frame.ts";
import { lookAt } from "../content/look.ts";
import type { DecodeAnswer, DecodeTask } from "./messages.ts";

type BundleTask = DecodeTask & { kind: "bundle" };
type FrameTask = DecodeTask & { kind: "frame" };

const PIECE = 256 * 1024;

/** Does one task on attacker-controlled bytes. What the machine fails at is an answer too, never a throw. */
export async function answerTo(task: DecodeTask): Promise<DecodeAnswer> {
  const opened = openBundleFile(task.path);
  if (!opened.ok) return { kind: "unreadable", detail: opened.detail };
  try {
    return task.kind === "bundle"
      ? await bundleAnswer(opened.source, task)
      : frameAnswer(opened.source, task);
  } catch (thrown) {
    if (thrown instanceof SourceFault) return { kind: "unreadable", detail: thrown.message };
    throw thrown;
  } finally {
    opened.close();
  }
}

async function bundleAnswer(source: BundleSource, task: BundleTask): Promise<DecodeAnswer> {
  const digest = { sha256: digestOf(source, task.caps.bundleBytes), bytes: source.size };
  const verdict = readBundle(source, { members: task.members, caps: task.caps });
  if (!verdict.ok) return { kind: "bundle", ...digest, faults: verdict.faults, manifest: null };
  const disagreements = await askSecondReader(source, verdict.members);
  if (disagreements.length > 0) return { kind: "bundle", ...digest, faults: disagreements, manifest: null };
  const manifest = memberBytes(source, verdict.members, task.manifest);
  return manifest.ok
    ? { kind: "bundle", ...digest, faults: [], manifest: manifest.bytes }
    : { kind: "bundle", ...digest, faults: manifest.faults, manifest: null };
}

function frameAnswer(source: BundleSource, task: FrameTask): DecodeAnswer {
  const verdict = readBundle(source, { members: task.members, caps: task.caps });
  if (!verdict.ok) return { kind: "frame", facts: null, faults: verdict.faults };
  const member = memberBytes(source, verdict.members, task.member);
  if (!member.ok) return { kind: "frame", facts: null, faults: member.faults };
  const frame = checkFrame(member.bytes, { expect: task.expect, keepRows: true });
  releaseMemory(member.bytes); // read from the file for this alone
  if (!frame.ok) return { kind: "frame", facts: null, faults: frame.faults };
  const { rows, ...facts } = frame.facts;
  const look = rows === undefined ? {} : { look: lookAt(rows, facts) };
  if (rows !== undefined) releaseMemory(rows);
  return { kind: "frame", facts, faults: frame.warnings, ...look };
}

type Extracted = { ok: true; bytes: Buffer } | { ok: false; faults: readonly Fault[] };

function memberBytes(source: BundleSource, members: readonly BundleMember[], name: string): Extracted {
  const member = members.find((one) => one.name === name);
  if (member !== undefined) return extractMember(source, member);
  return { ok: false, faults: [{ code: "ZIP_MEMBER_MISSING", where: name, expected: name, actual: null }] };
}

function digestOf(source: BundleSource, cap: number): string | null {
  if (source.size > cap) return null;
  const digest = startSha256();
  for (let at = 0; at < source.size; at += PIECE)
    digest.update(source.read(at, Math.min(PIECE, source.size - at)));
  return digest.digest("hex");
}
