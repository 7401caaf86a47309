import { join } from "node:path";
import type { Job } from "../../contracts/documents/job.ts";
import type { JoinReport } from "../../contracts/documents/join-report.ts";
import type { Policy } from "../../contracts/documents/policy.ts";
import type { Slot } from "../../contracts/flow.ts";
import { LIMITS } from "../../contracts/limits.ts";
import type { Clock } from "../core/clock.ts";
import { readCapped } from "../core/files/read-capped.ts";
import { type DecodeSettings, openDecoders } from "./decode/open-decoders.ts";
import { type DecodePlan, guessPlan } from "./decode/plan.ts";
import { type BundleOutcome, type Decoders, runPlan } from "./decode/run-plan.ts";

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

/** What the decoders were asked before the job was checked. */
export interface Guess {
  readonly plan: DecodePlan;
  readonly outcomes: Readonly<Record<Slot, Promise<BundleOutcome>>>;
}

/**
 * Reads, decodes and verifies an evidence folder. Throws only for faults of this program. The decoders start
 * first and have their work before the schemas are loaded, which takes as long as decoding some frames.
 */
export async function verifyEvidence(options: VerifyOptions): Promise<EvidenceVerdict> {
  const { clock, folder } = options;
  const started = clock.monotonicMs();
  const decoders = options.decoders ?? openDecoders(options.decode ?? {}, clock);
  try {
    const guess = await startDecoding(folder, decoders);
    const { judgeEvidence } = await import("./judge-evidence.ts");
    const { report, accepted } = await judgeEvidence(options, decoders, guess);
    const total = Math.round(clock.monotonicMs() - started);
    return { report: { ...report, timings_ms: { ...report.timings_ms, total } }, accepted };
  } finally {
    if (options.decoders === undefined) await decoders.close();
  }
}

async function startDecoding(folder: string, decoders: Decoders): Promise<Guess | null> {
  const job = await readCapped(join(folder, "job.json"), LIMITS.jobBytes);
  const plan = job.ok ? guessPlan(job.bytes) : null;
  if (plan === null) return null;
  const run = (slot: Slot): Promise<BundleOutcome> =>
    runPlan({ slot, path: join(folder, "slots", slot, "bundle.zip"), plan }, decoders);
  return { plan, outcomes: { a: run("a"), b: run("b") } };
}
