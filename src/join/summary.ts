import { CATALOGUE, isCode } from "../../contracts/catalogue.ts";
import type { Finding, JoinReport } from "../../contracts/documents/join-report.ts";
import { SLOTS } from "../../contracts/flow.ts";
import { harmless } from "../core/escape.ts";

const MOST_FINDINGS = 40;

/** A verdict for a person: who rendered what, one line a frame, and each finding with what was expected. */
export function renderSummary(report: JoinReport): string {
  const lines = [
    headline(report),
    ...provenance(report),
    ...frames(report),
    ...findings(report),
    anchors(report),
  ];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

function headline({ verdict, job_id, job_sha256, frames: all }: JoinReport): string {
  const job = job_id === null ? "no readable job" : `job ${harmless(job_id)} (${short(job_sha256)})`;
  return `${verdict.toUpperCase()}  ${job}, ${all.length} ${all.length === 1 ? "frame" : "frames"} verified`;
}

const provenance = (report: JoinReport): string[] =>
  SLOTS.map((slot) => {
    const from = report.provenance[slot];
    if (from === null) return `  slot ${slot}  no complete provenance`;
    const operator = from.operator === null ? "" : ` of ${harmless(from.operator, 60)}`;
    const blender = harmless(from.blender_version, 20);
    return `  slot ${slot}  ${harmless(from.worker_uuid, 60)}${operator}, fence ${from.fencing_token}, Blender ${blender} in ${harmless(from.containment, 20)}, accepted ${harmless(from.created_at, 40)}`;
  });

const frames = (report: JoinReport): string[] =>
  report.frames.map(
    (frame) =>
      `  ${harmless(frame.member, 40)}  slot ${frame.slot}  file ${short(frame.sha256)}  pixels ${short(frame.pixels_sha256)}  ${frame.bytes} bytes`,
  );

function findings({ findings: all }: JoinReport): string[] {
  const lines = all.slice(0, MOST_FINDINGS).flatMap(describe);
  return all.length > MOST_FINDINGS
    ? [...lines, `  … and ${all.length - MOST_FINDINGS} more in the report`]
    : lines;
}

function describe(one: Finding): string[] {
  const entry = isCode(one.code) ? CATALOGUE[one.code] : null;
  const lines = [
    `  ${one.severity}  ${harmless(one.code, 64)}: ${entry?.summary ?? "unknown code"}`,
    `    at ${harmless(one.path)}${one.blame === "none" ? "" : `, ${blamed(one)}`}`,
  ];
  if (one.expected !== null) lines.push(`    expected ${harmless(one.expected)}`);
  if (one.actual !== null) lines.push(`    found    ${harmless(one.actual)}`);
  if (entry !== null && one.severity !== "warning") lines.push(`    ${entry.action}`);
  return lines;
}

function blamed({ blame, slot }: Finding): string {
  if (blame === "slot") return `fault of slot ${slot ?? "?"}`;
  return blame === "both" ? "fault of both slots together" : `fault of the ${blame}`;
}

function anchors({ anchored, gateway_id }: JoinReport): string {
  const gateway = gateway_id === null ? "" : ` (gateway ${harmless(gateway_id, 60)})`;
  if (anchored.job && anchored.gateway) return `Anchored: job and gateway are the expected ones${gateway}.`;
  if (anchored.job) return `Anchored: the job is the expected one${gateway}.`;
  if (anchored.gateway) return `Anchored: the gateway is the expected one${gateway}.`;
  return `Unanchored: neither --expect-job nor --expect-gateway was given, so this says only that the evidence agrees with itself${gateway}.`;
}

const short = (digest: string | null): string => (digest === null ? "none" : `${digest.slice(0, 12)}…`);
