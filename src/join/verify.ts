import type { Finding, JoinReport, VERDICTS } from "../../contracts/documents/join-report.ts";
import type { Policy } from "../../contracts/documents/policy.ts";
import { SLOTS, type Slot } from "../../contracts/flow.ts";
import { frameName, framesOf } from "../../contracts/frame-names.ts";
import { boundFindings } from "./bound-findings.ts";
import { checkAgreement } from "./checks/agreement.ts";
import { checkBundle } from "./checks/bundle.ts";
import { checkContent } from "./checks/content.ts";
import { checkFrames } from "./checks/frames.ts";
import { checkGateway } from "./checks/gateway.ts";
import { checkJob } from "./checks/job.ts";
import { checkMembers } from "./checks/members.ts";
import { checkProvenance } from "./checks/provenance.ts";
import { checkSequence } from "./checks/sequence.ts";
import { checkWorkers, operatorOf } from "./checks/workers.ts";
import type { Facts } from "./facts.ts";
import { cut, finding } from "./finding.ts";

export type Verdict = (typeof VERDICTS)[number];

export interface Verified {
  readonly verdict: Verdict;
  readonly findings: Finding[];
  readonly frames: JoinReport["frames"];
  readonly content: JoinReport["content"];
  readonly provenance: JoinReport["provenance"];
}

/**
 * The verdict over facts: pure. `found` are the findings that were made while reading and decoding. The
 * policy's anchors are those that this verdict holds the evidence against.
 */
export function verify(facts: Facts, policy: Policy, found: readonly Finding[]): Verified {
  const content = checkContent(facts, policy);
  const findings = [
    ...found,
    ...checkJob(facts, policy.expect_job),
    ...checkWorkers(facts, policy),
    ...checkGateway(facts, policy.expect_gateway),
    ...checkProvenance(facts),
    ...checkBundle(facts),
    ...checkMembers(facts),
    ...checkFrames(facts),
    ...checkAgreement(facts, policy),
    ...checkSequence(facts),
    ...content.findings,
  ];
  const frames = framesIn(facts);
  if (verdictOf(findings) === "accepted") findings.push(...gaps(facts, frames.length));
  return {
    verdict: verdictOf(findings),
    findings: boundFindings(findings),
    frames,
    content: content.figures,
    provenance: provenanceOf(facts),
  };
}

/** A proven fault rejects even where other things could not be looked at. */
function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.some((one) => one.severity === "reject")) return "rejected";
  return findings.some((one) => one.severity === "undecided") ? "undecided" : "accepted";
}

/** Never an accept on missing evidence: what is null has a finding already, and this does not rely on it. */
function gaps({ job, gateway, slots }: Facts, frames: number): Finding[] {
  const missing = (path: string): Finding => finding("JOIN_EVIDENCE_MISSING", { path });
  if (job === null || gateway === null) return [missing(job === null ? "job.json" : "gateway.json")];
  const [first, second] = job.value.slots;
  const findings = SLOTS.flatMap((slot) => {
    const { task, request, receipt, before, after, bundle } = slots[slot];
    const all = [task, task?.payload, request, receipt, before, after, bundle, bundle?.manifest];
    return all.some((one) => one === null || one === undefined) ? [missing(`slots/${slot}`)] : [];
  });
  return frames === second.last - first.first + 1 ? findings : [...findings, missing("frames")];
}

function framesIn({ job, slots }: Facts): JoinReport["frames"] {
  if (job === null) return [];
  return job.value.slots.flatMap((range) =>
    framesOf(range).flatMap((frame) => {
      const facts = slots[range.id].bundle?.frames.get(frame);
      if (facts === undefined) return [];
      const { bytes, sha256, pixelsSha256: pixels_sha256 } = facts;
      return [{ frame, slot: range.id, member: frameName(frame), bytes, sha256, pixels_sha256 }];
    }),
  );
}

const provenanceOf = (facts: Facts): JoinReport["provenance"] => ({
  a: slotProvenance(facts, "a"),
  b: slotProvenance(facts, "b"),
});

function slotProvenance({ slots, gateway }: Facts, slot: Slot): JoinReport["provenance"][Slot] {
  const { receipt, before, bundle } = slots[slot];
  const manifest = bundle?.manifest?.value;
  if (receipt === null || manifest === undefined || !bundle?.sha256) return null;
  if (before?.envelope.shape !== "own") return null;
  return {
    worker_uuid: cut(receipt.value.worker_id, 200),
    operator: operatorOf(gateway, receipt.value.worker_id),
    fencing_token: receipt.value.fencing_token,
    version_num: before.envelope.value.version_num,
    created_at: before.envelope.value.created_at,
    receipt_sha256: receipt.sha256,
    bundle_sha256: bundle.sha256,
    blender_version: manifest.blender.version,
    containment: manifest.containment,
  };
}
