import { type BundleMember, openMember } from "../../bundle/read.ts";
import { askSecondReader } from "../../bundle/second-reader.ts";
import type { BundleSource, OpenedBundle } from "../../bundle/source.ts";
import { type Bytes, bytesThrough } from "../../core/bytes.ts";
import type { Fault } from "../../core/fault.ts";
import { checkFrameFile } from "../../frame/check-frame.ts";
import type { FrameFacts } from "../../frame/spec.ts";
import { bareFacts } from "./bare-facts.ts";
import { beyondMemory } from "./beyond-memory.ts";
import type { Desk } from "./desk.ts";
import type { InspectAnswer, InspectTask, MemberGroup } from "./messages.ts";

/** What no job caps: the largest file that a ZIP without ZIP64 can be, and all that it can hold. */
const CAPS = { bundleBytes: 0xffff_fffe, memberBytes: 0xffff_fffe, totalBytes: 2 ** 40 };
/** Of one task: small members go together, so that a directory is not read once for each. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_MEMBERS = 64;

/** A PNG or a bundle by itself, with no job to hold it against. */
export async function inspectAnswer(
  opened: OpenedBundle & { ok: true },
  task: InspectTask,
  { memoryBytes, window, layout }: Desk,
): Promise<InspectAnswer> {
  const { source } = opened;
  const is = task.range === null ? kindOf(source, task.path) : "bundle";
  const answer = { kind: "inspect" as const, is, frames: [], rest: [] };
  if (is === "unknown")
    return { ...answer, faults: [{ code: "JOIN_KIND_UNKNOWN", where: "", expected: null, actual: null }] };
  const context = { expect: task.expect, memoryBytes, window };
  if (is === "png") {
    const beyond = beyondMemory(source.size, memoryBytes);
    const file = bytesThrough(window, source, { from: 0, size: source.size });
    const frame = beyond === null ? look(file, "", context) : { faults: [beyond] };
    return { ...answer, ...frame };
  }
  const verdict = layout.read(opened, { members: task.members, caps: CAPS });
  if (!verdict.ok) return { ...answer, faults: verdict.faults };
  if (task.range === null) {
    const faults = await askSecondReader(source, verdict.members);
    return { ...answer, faults, rest: faults.length > 0 ? [] : grouped(verdict.members) };
  }
  const looked = verdict.members
    .slice(task.range.from, task.range.to)
    .map((member) => lookAtMember(source, member, context));
  return {
    ...answer,
    faults: looked.flatMap((one) => one.faults),
    frames: looked.flatMap((one) => one.frames ?? []),
  };
}

interface Context {
  readonly expect: InspectTask["expect"];
  readonly memoryBytes: number;
  readonly window: Buffer;
}

interface Looked {
  readonly faults: readonly Fault[];
  readonly frames?: InspectAnswer["frames"];
}

/** By its first bytes, then by its name, then by an end record in its tail: whoever damaged it hides nothing. */
function kindOf(source: BundleSource, path: InspectTask["path"]): InspectAnswer["is"] {
  const start = source.read(0, Math.min(4, source.size)).toString("latin1");
  if (start === "\x89PNG") return "png";
  if (start.startsWith("PK")) return "bundle";
  const name = Buffer.from(path).toString("latin1").toLowerCase();
  if (name.endsWith(".png")) return "png";
  const tail = Math.min(source.size, 0xffff + 22);
  const ended = source.read(source.size - tail, tail).includes("PK\x05\x06", 0, "latin1");
  return ended || name.endsWith(".zip") ? "bundle" : "unknown";
}

/** Every member must be readable; one that is called a PNG must be a frame. */
function lookAtMember(source: BundleSource, member: BundleMember, context: Context): Looked {
  const beyond = beyondMemory(member.bytes + member.compressedBytes, context.memoryBytes);
  if (beyond !== null) return { faults: [{ ...beyond, where: member.name }] };
  const opened = openMember(source, member, context.window);
  if (!opened.ok) return { faults: opened.faults };
  return isPicture(member) ? look(opened.file, member.name, context) : { faults: [] };
}

const isPicture = (member: BundleMember): boolean => member.name.toLowerCase().endsWith(".png");

function look(file: Bytes, name: string, { expect }: Context): Looked {
  const frame = checkFrameFile(file, { expect });
  const faults = (frame.ok ? frame.warnings : frame.faults).map((one) => ({
    ...one,
    where: name === "" ? one.where : `${name}/${one.where}`,
  }));
  const frames: readonly (readonly [string, FrameFacts])[] = frame.ok ? [[name, bareFacts(frame.facts)]] : [];
  return { faults, frames };
}

function grouped(members: readonly BundleMember[]): MemberGroup[] {
  const groups: MemberGroup[] = [];
  let [from, bytes] = [0, 0];
  for (const [at, member] of members.entries()) {
    bytes += member.bytes;
    if (at + 1 < members.length && bytes < MOST_BYTES && at + 1 - from < MOST_MEMBERS) continue;
    groups.push({ from, to: at + 1, names: members.slice(from, at + 1).map((one) => one.name) });
    [from, bytes] = [at + 1, 0];
  }
  return groups;
}
