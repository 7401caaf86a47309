/** `render-handoff/join`: verdicts over evidence folders, what is made of them, and checks without a job. */
export { type Clock, systemClock } from "../core/clock.ts";
export { HandoffError } from "../core/error.ts";
export { type Assembled, type AssembleOptions, assemble } from "./assemble.ts";
export { beginDecoding } from "./begin-decoding.ts";
export { CONTENT_THRESHOLDS } from "./checks/content.ts";
export {
  type Collected,
  type CollectOptions,
  collectEvidence,
  type EvidenceSource,
} from "./collect.ts";
export { type DecodeSettings, openDecoders } from "./decode/open-decoders.ts";
export type { Decoders } from "./decode/run-plan.ts";
export { type InspectOptions, inspectFile } from "./inspect.ts";
export { type DrawPageOptions, drawPage } from "./report/draw-page.ts";
export { exitOfReport } from "./report/exit-of-report.ts";
export type { Origin } from "./report/reproduce.ts";
export { sarifOf } from "./report/sarif.ts";
export { renderSummary } from "./report/summary.ts";
export type { Guess } from "./verdict.ts";
export {
  type EvidenceVerdict,
  type VerifiedFrames,
  type VerifyOptions,
  verifyEvidence,
} from "./verify-evidence.ts";
