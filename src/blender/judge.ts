import type { ErrorCode } from "../../contracts/catalogue.ts";
import type { BlenderRun } from "./launch.ts";
import type { RenderOutcome } from "./outcome.ts";

const NONE: ReadonlySet<ErrorCode> = new Set();

/** What a run of Blender amounts to: exit code 0 alone proves nothing. Errors of a tolerated code are none. */
export function judge(run: BlenderRun, tolerated: ReadonlySet<ErrorCode> = NONE): RenderOutcome {
  const { end, facts } = run;
  const log = { ...run.log, errors: run.log.errors.filter(({ code }) => !tolerated.has(code)) };
  if (end.ended === "failed_to_start")
    return {
      ended: "failed_to_start",
      // What is started is always the wrapper (bwrap, setpriv): a missing Blender is said by its exit.
      reason: "RENDER_CONTAINMENT_MISSING",
      exitCode: null,
      signal: null,
      facts: null,
      details: [end.detail],
      lastLines: [],
      wallMs: 0,
      peakRssBytes: 0,
      proof: "gone",
    };
  const lastLines = log.words;
  if (end.ended === "killed") return { ...end, facts, details: log.tail, lastLines };
  const verdict = verdictOf({ end, log, facts });
  return { ...end, reason: verdict?.code ?? null, facts, details: verdict?.details ?? [], lastLines };
}

interface Verdict {
  readonly code: ErrorCode;
  readonly details: readonly string[];
}

/** The strongest word against a run that ended by itself: the script's refusals, the log, the exit code. */
function verdictOf({ end, log, facts }: BlenderRun): Verdict | null {
  const refused = facts?.refusals[0];
  if (refused !== undefined)
    return {
      code: refused.code,
      details: facts?.refusals.flatMap(({ code, items }) => items.map((item) => `${code}: ${item}`)) ?? [],
    };
  const clean = end.ended === "finished" && end.exitCode === 0;
  const told = log.errors.find((error) => error.code !== "RENDER_LOG_ERROR");
  if (told !== undefined) return { code: told.code, details: linesOf(log.errors, log.tail) };
  if (!clean || facts === null)
    return {
      code: "RENDER_BLENDER_FAILED",
      details: [...(clean ? ["the enforcing script left no facts"] : []), ...linesOf(log.errors, log.tail)],
    };
  return log.errors.length > 0
    ? { code: "RENDER_LOG_ERROR", details: log.errors.map((error) => error.line) }
    : null;
}

const linesOf = (errors: readonly { line: string }[], tail: readonly string[]): string[] => [
  ...errors.map((error) => error.line).slice(0, 8),
  ...tail.slice(-24),
];
