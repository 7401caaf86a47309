import type { Job } from "../../contracts/documents/job.ts";
import type { Finding, JoinReport } from "../../contracts/documents/join-report.ts";
import { type Policy, STANDARD_POLICY } from "../../contracts/documents/policy.ts";
import { SLOTS, type Slot } from "../../contracts/flow.ts";
import { TOOL_VERSION } from "../../contracts/version.ts";
import { type Clock, timestamp } from "../core/clock.ts";
import { type Decoders, decodeBundle } from "./decode/decode-bundles.ts";
import { type DecodeSettings, openDecoders } from "./decode/open-decoders.ts";
import type { BundleFacts, Facts, JobFacts, Read } from "./facts.ts";
import { slotPath } from "./finding.ts";
import { narrowGateway, narrowJob, narrowSlot } from "./narrow-evidence.ts";
import { type EvidenceBytes, type FileDigest, holdAgainst, readEvidence } from "./read-evidence.ts";
import { settlePending } from "./settle-pending.ts";
import { type Verified, verify } from "./verify.ts";

export interface VerifyOptions {
  /** An evidence folder as collect leaves it. */
  readonly folder: string;
  /** In place of the job's own policy. */
  readonly policy?: Policy | null;
  /** Anchors: what the checker knew before. */
  readonly expectJob?: string | null;
  readonly expectGateway?: string | null;
  readonly strictContent?: boolean;
  readonly clock: Clock;
  /** Threads of this call alone … */
  readonly decode?: DecodeSettings;
  /** … or the caller's, who closes them: for many folders one after another. */
  readonly decoders?: Decoders;
}

/** What assemble may write: only of evidence that was accepted. */
export interface AcceptedEvidence {
  readonly job: Job;
  readonly bundles: Readonly<Record<Slot, string>>;
  readonly frames: JoinReport["frames"];
}

export interface EvidenceVerdict {
  readonly report: JoinReport;
  /** Null unless the verdict is `accepted`. */
  readonly accepted: AcceptedEvidence | null;
}

/** Reads, decodes and verifies an evidence folder. Throws only for faults of this program. */
export async function verifyEvidence(options: VerifyOptions): Promise<EvidenceVerdict> {
  const decoders = options.decoders ?? openDecoders(options.decode ?? {}, options.clock);
  try {
    return await verifyWith(options, decoders);
  } finally {
    if (options.decoders === undefined) await decoders.close();
  }
}

async function verifyWith(options: VerifyOptions, decoders: Decoders): Promise<EvidenceVerdict> {
  const { clock, folder } = options;

  const started = clock.monotonicMs();
  const bytes = await readEvidence(folder);
  const findings = [...bytes.findings];
  const job = narrowJob({ files: bytes.files, findings });
  const decoding = decodeBoth(bytes, job, decoders);
  const gateway = narrowGateway({ files: bytes.files, findings });
  const [a, b] = [
    narrowSlot("a", { files: bytes.files, findings }),
    narrowSlot("b", { files: bytes.files, findings }),
  ];
  const read = clock.monotonicMs();
  const bundles = await decoding;
  const decoded = clock.monotonicMs();
  const facts = {
    job,
    gateway,
    slots: { a: { ...a, bundle: bundles.a.value }, b: { ...b, bundle: bundles.b.value } },
  };
  findings.push(...bundles.a.findings, ...bundles.b.findings);
  const digests = allDigests(bytes, facts);
  if (bytes.index !== null)
    findings.push(...holdAgainst(bytes.index, digests).filter((one) => one.path.endsWith("bundle.zip")));
  const policy = policyOf(options, job);
  const verified = verify(facts, policy, settlePending(findings, facts));
  const ended = clock.monotonicMs();
  const timings_ms = {
    read: Math.round(read - started),
    decode: Math.round(decoded - started),
    verify: Math.round(ended - decoded),
    total: Math.round(ended - started),
  };
  const report = reportOf({ facts, policy, verified, digests, timings_ms, options });
  const accepted =
    job !== null && verified.verdict === "accepted"
      ? { job: job.value, bundles: bytes.bundles, frames: verified.frames }
      : null;
  return { report, accepted };
}

type Bundles = Record<Slot, Read<BundleFacts | null>>;

/** Without a job nobody knows what must be in a bundle, so it stays unread. */
async function decodeBoth(bytes: EvidenceBytes, job: JobFacts | null, decoders: Decoders): Promise<Bundles> {
  const one = async (slot: Slot): Promise<Read<BundleFacts | null>> => {
    const path = slotPath(slot, "bundle.zip");
    const faulty = bytes.findings.some((found) => found.path === path);
    if (job === null || faulty) return { value: null, findings: [] };
    return decodeBundle({ slot, path: bytes.bundles[slot], job: job.value }, decoders);
  };
  const [a, b] = await Promise.all([one("a"), one("b")]);
  return { a, b };
}

function allDigests({ digests }: EvidenceBytes, { slots }: Facts): FileDigest[] {
  const bundles = SLOTS.flatMap((slot) => {
    const { bundle } = slots[slot];
    if (bundle === null || bundle.sha256 === null) return [];
    return [{ path: slotPath(slot, "bundle.zip"), sha256: bundle.sha256, bytes: bundle.bytes }];
  });
  return [...digests, ...bundles].sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** The policy of this verdict, with the anchors that it holds the evidence against. */
function policyOf(options: VerifyOptions, job: JobFacts | null): Policy {
  const policy = options.policy ?? job?.value.policy ?? STANDARD_POLICY;
  return {
    ...policy,
    strict_content: policy.strict_content || options.strictContent === true,
    expect_job: options.expectJob ?? policy.expect_job,
    expect_gateway: options.expectGateway ?? policy.expect_gateway,
  };
}

interface ReportParts {
  readonly facts: Facts;
  readonly policy: Policy;
  readonly verified: Verified;
  readonly digests: FileDigest[];
  readonly timings_ms: JoinReport["timings_ms"];
  readonly options: VerifyOptions;
}

function reportOf({ facts, policy, verified, digests, timings_ms, options }: ReportParts): JoinReport {
  const { job, gateway } = facts;
  // an expectation inside the evidence anchors nothing, unless the evidence itself is anchored
  const known = options.policy ?? null;
  const byJob = (options.expectJob ?? known?.expect_job ?? null) !== null;
  const byGateway = (options.expectGateway ?? known?.expect_gateway ?? null) !== null;
  return {
    schema: "render_handoff.join_report.v1",
    verdict: verified.verdict,
    job_id: job?.value.job_id ?? null,
    job_sha256: job?.sha256 ?? null,
    gateway_id: gateway?.well_known.gateway_id ?? null,
    policy,
    anchored: { job: byJob, gateway: byGateway || (byJob && policy.expect_gateway !== null) },
    findings: verified.findings satisfies Finding[],
    frames: verified.frames,
    provenance: verified.provenance,
    evidence: digests,
    timings_ms,
    created_at: timestamp(options.clock.wallSeconds()),
    tool_version: TOOL_VERSION,
  };
}
