import { beginDecoding } from "./begin-decoding.ts";
import { bundleBytes } from "./decode/bundle-bytes.ts";
import { openDecoders } from "./decode/open-decoders.ts";
import type { EvidenceVerdict, VerifyOptions } from "./verdict.ts";

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
    const guess = options.begun ?? beginDecoding(options, decoders);
    const { judgeEvidence } = await import("./judge-evidence.ts");
    const judged = await judgeEvidence(options, decoders, guess);
    const total = Math.round(clock.monotonicMs() - started);
    const { report } = judged;
    return { ...judged, report: { ...report, timings_ms: { ...report.timings_ms, total } } };
  } finally {
    if (options.decoders === undefined) await decoders.close();
  }
}
