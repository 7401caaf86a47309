import { CATALOGUE, type ErrorCode } from "../../contracts/catalogue.ts";
import { HandoffError } from "../core/error.ts";
import type { BlenderFacts } from "./facts.ts";
import type { Proof } from "./process/end-family.ts";

export interface RenderRecord {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What Blender said before the first frame; null when it did not come so far. */
  readonly facts: BlenderFacts | null;
  /** Lines for a person: refused items, error lines, else the last lines of the log. */
  readonly details: readonly string[];
  /** The last lines of the log that are no progress: what it said about output that is not as it should be. */
  readonly lastLines: readonly string[];
  readonly wallMs: number;
  /** Highest resident size of one process of the run that was seen; 0 when unknown. */
  readonly peakRssBytes: number;
  /** Whether every process of the run was seen to be gone. The output is worth reading only then. */
  readonly proof: Proof;
}

/** `reason` null: nothing speaks against the run, and the output folder may be believed after its own checks. */
export type RenderOutcome =
  | ({ readonly ended: "finished"; readonly reason: ErrorCode | null } & RenderRecord)
  | ({ readonly ended: "killed"; readonly reason: ErrorCode } & RenderRecord)
  | ({ readonly ended: "failed_to_start"; readonly reason: ErrorCode } & RenderRecord);

/** The error that an outcome stands for; null when nothing speaks against it. An unproven end comes first. */
export function failureOf(outcome: RenderOutcome): HandoffError | null {
  const details = outcome.details;
  if (outcome.proof === "alive") return new HandoffError("RENDER_PROCESS_ALIVE", undefined, { details });
  if (outcome.reason === null) return null;
  return new HandoffError(outcome.reason, details[0], { details });
}

/** Leaves room for the log in a result. */
const MOST_DETAILS = 24;

/** A fault of the output of a run that ended well by its own account, with what its log said last. */
export const withLastLines = (error: HandoffError, outcome: RenderOutcome): HandoffError =>
  new HandoffError(error.code, error.message.slice(CATALOGUE[error.code].summary.length + 1), {
    cause: error,
    details: [...error.details.slice(0, MOST_DETAILS), ...outcome.lastLines.map((line) => `log: ${line}`)],
  });
