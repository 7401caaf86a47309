import type { ChildResult } from "../../contracts/documents/child-result.ts";
import type { Slot, Step } from "../../contracts/flow.ts";
import type { ChildPart } from "../../contracts/telemetry.ts";
import { type Clock, timestamp } from "../core/clock.ts";
import type { HandoffError } from "../core/error.ts";
import { harmless } from "../core/escape.ts";

/** What is known of a run while it goes, for its result. */
export interface Report {
  taskId: string | null;
  fence: number | null;
  bundleSha256: string | null;
  reused: boolean;
  /** Step that transport attempts are counted under. */
  step: Step;
  countAttempt(): void;
  /** Runs a part and adds its time. */
  timed<T>(part: ChildPart, work: () => Promise<T>): Promise<T>;
  result(ending: Ending): ChildResult;
}

/** How a run ends. `error` is what stood in the way, null for `completed`. */
export interface Ending {
  readonly outcome: ChildResult["outcome"];
  readonly error: HandoffError | null;
  /** Wall-clock seconds at which a further run makes sense. */
  readonly nextDue: number | null;
}

export function startReport(slot: Slot, clock: Clock): Report {
  const attempts: Partial<Record<Step, number>> = {};
  const timings: Record<string, number> = {};
  const report: Report = {
    taskId: null,
    fence: null,
    bundleSha256: null,
    reused: false,
    step: "claim",
    countAttempt: () => {
      attempts[report.step] = (attempts[report.step] ?? 0) + 1;
    },
    timed: async (part, work) => {
      const started = clock.monotonicMs();
      try {
        return await work();
      } finally {
        timings[part] = (timings[part] ?? 0) + Math.max(0, Math.round(clock.monotonicMs() - started));
      }
    },
    result: ({ outcome, error, nextDue }) => ({
      schema: "render_handoff.child_result.v1",
      outcome,
      reason: error?.code ?? null,
      message: error === null ? null : harmless(error.message, 2_000),
      details: (error?.details ?? []).slice(0, 40).map((line) => harmless(line, 500)),
      slot,
      task_id: report.taskId,
      fencing_token: report.fence,
      next_due_utc: nextDue === null ? null : timestamp(nextDue),
      transport_attempts: attempts,
      timings_ms: timings,
      bundle_sha256: report.bundleSha256,
      reused: report.reused,
    }),
  };
  return report;
}
