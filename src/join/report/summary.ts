import type { Finding, JoinReport } from "../../../contracts/documents/join-report.ts";
import { SLOTS } from "../../../contracts/flow.ts";
import { frameName } from "../../../contracts/frame-names.ts";
import { harmless } from "../../core/escape.ts";
import { anchorsOf, failedWords, heldWords } from "./anchors.ts";
import { failedFrames, faultsByFrame, keyOf } from "./failed-frames.ts";
import { INK, type Ink, NO_INK } from "./ink.ts";
import { blamed, bytes, entryOf, percent, short } from "./words.ts";

const MOST_FINDINGS = 40;

/** A verdict for a person: who rendered what, one line a frame, and each finding with what was expected. */
export function renderSummary(report: JoinReport, { colour = false } = {}): string {
  const ink = colour ? INK : NO_INK;
  const lines = [
    headline(report, ink),
    ...provenance(report, ink),
    ...frames(report, ink),
    ...findings(report, ink),
    anchors(report),
  ];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

function headline({ verdict, job_id, job_sha256, frames: all }: JoinReport, ink: Ink): string {
  const job = job_id === null ? "no readable job" : `job ${harmless(job_id)} (${short(job_sha256)})`;
  const tone = { accepted: ink.good, rejected: ink.bad, undecided: ink.warn }[verdict];
  const word = ink.strong(tone(verdict.toUpperCase()));
  return `${word}  ${job}, ${all.length} ${all.length === 1 ? "frame" : "frames"} verified`;
}

const provenance = (report: JoinReport, ink: Ink): string[] =>
  SLOTS.map((slot) => {
    const from = report.provenance[slot];
    if (from === null) return `  ${ink.strong(`slot ${slot}`)}  no complete provenance`;
    const operator = from.operator === null ? "" : ` of ${harmless(from.operator, 60)}`;
    const blender = harmless(from.blender_version, 20);
    return `  ${ink.strong(`slot ${slot}`)}  ${harmless(from.worker_uuid, 60)}${operator}, fence ${from.fencing_token}, Blender ${blender} in ${harmless(from.containment, 20)}, accepted ${harmless(from.created_at, 40)}`;
  });

/** One line a frame, in the order of the range; what failed says why. */
function frames(report: JoinReport, ink: Ink): string[] {
  const faults = faultsByFrame(report);
  const steps = new Map(report.content.neighbours.map((pair) => [pair.to, pair.difference_ppm]));
  const verified = report.frames.map((one) => ({ one, frame: one.frame, slot: one.slot }));
  const failed = failedFrames(report).map((place) => ({ one: null, ...place }));
  const all = [...verified, ...failed].sort((left, right) => left.frame - right.frame);
  return all.map(({ one, frame, slot }) => {
    const codes = [...(faults.get(keyOf({ slot, frame })) ?? [])]
      .map((code) => harmless(code, 64))
      .join(", ");
    const name = (codes === "" ? ink.good : ink.bad)(harmless(one?.member ?? frameName(frame), 40));
    const rest = one === null ? ["not verified"] : described(one, steps.get(frame), ink);
    return ["", name, `slot ${slot}`, ...rest, ...(codes === "" ? [] : [ink.bad(codes)])].join("  ");
  });
}

/** Of two neighbours the later one says how much the picture changed: a reader sees a stop or a jump at once. */
function described(one: JoinReport["frames"][number], step: number | undefined, ink: Ink): string[] {
  const digests = ink.soft(`file ${short(one.sha256)}  pixels ${short(one.pixels_sha256)}`);
  return [digests, bytes(one.bytes), ...(step === undefined ? [] : [`change ${percent(step)}`])];
}

function findings({ findings: all }: JoinReport, ink: Ink): string[] {
  const lines = all.slice(0, MOST_FINDINGS).flatMap((one) => describe(one, ink));
  return all.length > MOST_FINDINGS
    ? [...lines, `  … and ${all.length - MOST_FINDINGS} more in the report`]
    : lines;
}

function describe(one: Finding, ink: Ink): string[] {
  const entry = entryOf(one);
  const blame = blamed(one);
  const tone = one.severity === "reject" ? ink.bad : ink.warn;
  const lines = [
    `  ${tone(one.severity)}  ${ink.strong(harmless(one.code, 64))}: ${entry?.summary ?? "unknown code"}`,
    `    at ${harmless(one.path)}${blame === null ? "" : `, fault of ${blame}`}`,
  ];
  if (one.expected !== null) lines.push(`    expected ${harmless(one.expected)}`);
  if (one.actual !== null) lines.push(`    found    ${harmless(one.actual)}`);
  if (entry !== null && one.severity !== "warning") lines.push(`    ${entry.action}`);
  return lines;
}

function anchors(report: JoinReport): string {
  const { gateway_id } = report;
  const gateway = gateway_id === null ? "" : ` (gateway ${harmless(gateway_id, 60)})`;
  const { held, failed } = anchorsOf(report);
  const [holds, fails] = [heldWords(held), failed.map(failedWords).join("; ")];
  if (fails !== "") return `Not anchored: ${fails}.${holds === null ? "" : ` Only ${holds}.`}`;
  if (holds !== null) return `Anchored: ${holds}${gateway}.`;
  return `Unanchored: neither --expect-job nor --expect-gateway was given, so this says only that the evidence agrees with itself${gateway}.`;
}
