import { join } from "node:path";
import type { Slot } from "../../contracts/flow.ts";
import { LIMITS } from "../../contracts/limits.ts";
import { readCapped } from "../core/files/read-capped.ts";
import { bundleBytes } from "./decode/bundle-bytes.ts";
import { openDecoders } from "./decode/open-decoders.ts";
import { guessPlan } from "./decode/plan.ts";
import { type BundleOutcome, type Decoders, runPlan } from "./decode/run-plan.ts";
import type { EvidenceVerdict, Guess, VerifyOptions } from "./verdict.ts";

export type { EvidenceVerdict, VerifiedFrames, VerifyOptions } from "./verdict.ts";

/**
 * Reads, decodes and verifies an evidence folder. Throws only for faults of this program. The decoders start
 * first and have their work before the checks are loaded.
 */
export async function verifyEvidence(options: VerifyOptions): Promise<EvidenceVerdict> {
  const { clock } = options;
  const started = clock.monotonicMs();
  const decoders =
    options.decoders ??
    openDecoders({ bundleBytes: bundleBytes([options.folder]), ...options.decode }, clock);
  try {
    const guess = await startDecoding(options, decoders);
    const { judgeEvidence } = await import("./judge-evidence.ts");
    const judged = await judgeEvidence(options, decoders, guess);
    const total = Math.round(clock.monotonicMs() - started);
    const { report } = judged;
    return { ...judged, report: { ...report, timings_ms: { ...report.timings_ms, total } } };
  } finally {
    if (options.decoders === undefined) await decoders.close();
  }
}

async function startDecoding(
  { folder, secondDecoder }: VerifyOptions,
  decoders: Decoders,
): Promise<Guess | null> {
  const job = await readCapped(join(folder, "job.json"), LIMITS.jobBytes);
  const plan = job.ok ? guessPlan(job.bytes) : null;
  if (plan === null) return null;
  const run = (slot: Slot): Promise<BundleOutcome> =>
    runPlan(
      { slot, path: join(folder, "slots", slot, "bundle.zip"), plan, second: secondDecoder === true },
      decoders,
    );
  return { plan, outcomes: { a: run("a"), b: run("b") } };
}
