import { isDeepStrictEqual } from "node:util";
import type { Finding, JoinReport } from "../../contracts/documents/join-report.ts";
import type { Policy } from "../../contracts/documents/policy.ts";
import type { ObjectPin } from "../../contracts/documents/verdict.ts";
import { SLOTS, type Slot } from "../../contracts/flow.ts";
import { STANDARD_POLICY } from "../../contracts/standard-policy.ts";
import { TOOL_VERSION } from "../../contracts/version.ts";
import { timestamp } from "../core/clock.ts";
import { planOf } from "./decode/plan.ts";
import { readOutcome } from "./decode/read-outcome.ts";
import { type BundleOutcome, type Decoders, runPlan } from "./decode/run-plan.ts";
import type { BundleFacts, Facts, JobFacts, Read } from "./facts.ts";
import { slotPath } from "./finding.ts";
import { narrowGateway, narrowJob, narrowSlot } from "./narrow-evidence.ts";
import { type EvidenceBytes, type FileDigest, holdAgainst, readEvidence } from "./read-evidence.ts";
import { settlePending } from "./settle-pending.ts";
import type { EvidenceVerdict, Given, Guess, VerifyOptions } from "./verdict.ts";
import { type Verified, verify } from "./verify.ts";

/** Everything of a verdict that needs the schemas; `guess` is what the decoders began with meanwhile. */
export async function judgeEvidence(
  options: VerifyOptions,
  decoders: Decoders,
  guess: Guess | null,
): Promise<EvidenceVerdict> {
  const { clock, folder } = options;
  const started = clock.monotonicMs();
  const bytes = await readEvidence(folder);
  const from = { files: bytes.files, findings: [...bytes.findings] };
  const job = await narrowJob(from);
  const gateway = await narrowGateway(from);
  const [a, b] = [await narrowSlot("a", from), await narrowSlot("b", from)];
  const read = clock.monotonicMs();
  const bundles = await decodeBoth(bytes, job, { decoders, guess, second: options.secondDecoder === true });
  const decoded = clock.monotonicMs();
  const slots = { a: { ...a, bundle: bundles.a.value }, b: { ...b, bundle: bundles.b.value } };
  const facts: Facts = { job, gateway, slots };
  const digests = allDigests(bytes, facts);
  const held = bytes.index === null ? [] : holdAgainst(bytes.index, digests);
  const all = [
    ...from.findings,
    ...bundles.a.findings,
    ...bundles.b.findings,
    ...held.filter((one) => one.path.endsWith("bundle.zip")),
  ];
  const policy = policyOf(options, job);
  const verified = verify(facts, policy, settlePending(all, facts));
  const ended = clock.monotonicMs();
  const timings_ms = {
    read: Math.round(read - started),
    decode: Math.round(decoded - read),
    verify: Math.round(ended - decoded),
  };
  const report = reportOf({ facts, policy, verified, digests, timings_ms, options });
  const passed =
    job === null || verified.frames.length === 0
      ? null
      : { job: job.value, bundles: bytes.bundles, frames: verified.frames };
  const pins = { a: pinOf(facts, "a"), b: pinOf(facts, "b") };
  const { expectJob = null, expectGateway = null, strictContent = false, secondDecoder = false } = options;
  const given: Given = { expectJob, expectGateway, strictContent, secondDecoder };
  const accepted = verified.verdict === "accepted" ? passed : null;
  return { report, given, pins, accepted, verified: passed };
}

function pinOf({ slots }: Facts, slot: Slot): ObjectPin | null {
  const envelope = slots[slot].before?.envelope;
  if (envelope?.shape !== "own") return null;
  return { version_num: envelope.value.version_num, sha256_hash: envelope.value.sha256_hash };
}

interface Decoding {
  readonly second: boolean;
  readonly decoders: Decoders;
  readonly guess: Guess | null;
}

/** Without a job nobody knows what must be in a bundle, so it stays unread. */
async function decodeBoth(
  bytes: EvidenceBytes,
  job: JobFacts | null,
  { decoders, guess, second }: Decoding,
): Promise<Record<Slot, Read<BundleFacts | null>>> {
  const plan = job === null ? null : planOf(job.value);
  const guessed = plan !== null && isDeepStrictEqual(plan, guess?.plan) ? guess : null;
  const one = async (slot: Slot): Promise<Read<BundleFacts | null>> => {
    const name = slotPath(slot, "bundle.zip");
    if (plan === null || bytes.findings.some((found) => found.path === name))
      return { value: null, findings: [] };
    const outcome: BundleOutcome = await (guessed?.outcomes[slot] ??
      runPlan({ slot, path: bytes.bundles[slot], plan, second }, decoders));
    return readOutcome(slot, outcome);
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

/** An anchor is an expectation that was compared with what is there, and is equal to it. */
function anchoredBy(
  { policy: known, expectJob, expectGateway }: VerifyOptions,
  policy: Policy,
  { job, gateway }: Facts,
): JoinReport["anchored"] {
  const expected = expectJob ?? known?.expect_job ?? null;
  const held = expected !== null && expected === job?.sha256;
  // an expectation inside the evidence anchors nothing, unless the evidence itself is anchored
  const own = expectGateway ?? known?.expect_gateway ?? (held ? policy.expect_gateway : null);
  return { job: held, gateway: own !== null && own === gateway?.well_known.gateway_id };
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
  return {
    schema: "render_handoff.join_report.v1",
    verdict: verified.verdict,
    job_id: job?.value.job_id ?? null,
    job_sha256: job?.sha256 ?? null,
    gateway_id: gateway?.well_known.gateway_id ?? null,
    policy,
    anchored: anchoredBy(options, policy, facts),
    findings: verified.findings satisfies Finding[],
    frames: verified.frames,
    content: verified.content,
    provenance: verified.provenance,
    evidence: digests,
    timings_ms,
    created_at: timestamp(options.clock.wallSeconds()),
    tool_version: TOOL_VERSION,
  };
}
