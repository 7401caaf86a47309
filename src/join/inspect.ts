import { CATALOGUE } from "../../contracts/catalogue.ts";
import type { Inspection } from "../../contracts/documents/inspection.ts";
import { type Fault, fault } from "../core/fault.ts";
import type { FrameFacts, FrameSpec } from "../frame/spec.ts";
import type { DecodeAnswer, InspectAnswer, InspectTask, MemberGroup } from "./decode/messages.ts";
import type { Outcome } from "./decode/pool.ts";
import type { Decoders } from "./decode/run-plan.ts";
import { UNDONE } from "./decode/undone.ts";
import { FaultTally } from "./fault-tally.ts";
import { shown } from "./finding.ts";

export interface InspectOptions {
  /** Bytes where it is no UTF-8. */
  readonly path: string | Uint8Array;
  /** Null takes any size, and any format that is handed over. */
  readonly frame: FrameSpec | null;
  /** Exactly what a bundle must hold; null takes any plain names. */
  readonly members: readonly string[] | null;
}

/**
 * The strict checks on one PNG or bundle, with no job to hold it against. Every member of a bundle is read,
 * and those called `*.png` are decoded. What is not canonical is a warning here.
 */
export async function inspectFile(options: InspectOptions, decoders: Decoders): Promise<Inspection> {
  const { path, frame: expect, members } = options;
  const task: InspectTask = { kind: "inspect", path, expect, members, range: null };
  const first = readAnswer(await decoders.run(task), "");
  const tally = new FaultTally();
  tally.add(0, first.faults);
  const take = (from: number, part: Part): Frames => {
    tally.add(from, part.faults);
    return part.frames;
  };
  const groups = first.rest.map((group) => askGroup(group, { task, decoders, take }));
  const frames = [...first.frames, ...(await Promise.all(groups)).flat()];
  const findings = tally.faults().map(asFinding);
  return {
    schema: "render_handoff.inspection.v1",
    file: typeof path === "string" ? path : Buffer.from(path).toString("utf8"),
    kind: first.is,
    verdict: verdictOf(findings),
    findings,
    frames: frames.map(asFrame),
  };
}

type Part = Omit<InspectAnswer, "kind">;
type Frames = InspectAnswer["frames"];

interface Asking {
  readonly task: InspectTask;
  readonly decoders: Decoders;
  /** Keeps what is wrong with a part that begins at that member, and gives back its frames. */
  take(from: number, part: Part): Frames;
}

/** A group that has no answer is asked member by member: the one at fault takes no other with it. */
async function askGroup({ from, to, names }: MemberGroup, asking: Asking): Promise<Frames> {
  const { task, decoders, take } = asking;
  const outcome = await decoders.run({ ...task, range: { from, to } });
  const [name = "", ...others] = names;
  const place = others.length === 0 ? name : `${name} and ${others.length} more`;
  if (outcome.ended === "answered" || others.length === 0 || decoders.closed)
    return take(from, readAnswer(outcome, place));
  const alone = names.map((one, at) => ({ from: from + at, to: from + at + 1, names: [one] }));
  return (await Promise.all(alone.map((one) => askGroup(one, asking)))).flat();
}

function readAnswer(outcome: Outcome<DecodeAnswer>, where: string): Part {
  if (outcome.ended === "answered" && outcome.answer.kind === "inspect") return outcome.answer;
  const nothing = { is: "unknown" as const, frames: [], rest: [] };
  if (outcome.ended !== "answered")
    return { ...nothing, faults: [fault(UNDONE[outcome.ended], where, { actual: outcome.detail })] };
  const detail = outcome.answer.kind === "unreadable" ? outcome.answer.detail : "another answer";
  return { ...nothing, faults: [fault("JOIN_FILE_UNREADABLE", where, { actual: detail })] };
}

type InspectionFinding = Inspection["findings"][number];

const asFinding = ({ code, where, expected, actual }: Fault): InspectionFinding => ({
  code,
  // in a bundle a rejection; a file of another farm is no worse for it
  severity: code === "PNG_NOT_CANONICAL" ? "warning" : CATALOGUE[code].severity,
  path: shown(where) ?? "",
  expected: shown(expected),
  actual: shown(actual),
});

function verdictOf(findings: readonly InspectionFinding[]): Inspection["verdict"] {
  if (findings.some((one) => one.severity === "reject")) return "reject";
  return findings.some((one) => one.severity === "undecided") ? "undecided" : "ok";
}

const asFrame = ([path, facts]: readonly [string, FrameFacts]): Inspection["frames"][number] => ({
  path,
  width: facts.width,
  height: facts.height,
  bit_depth: facts.bitDepth,
  color_type: facts.colorType,
  bytes: facts.bytes,
  sha256: facts.sha256,
  pixels_sha256: facts.pixelsSha256,
  canonical: facts.canonical,
});
