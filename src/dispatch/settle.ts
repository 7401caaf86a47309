import { CATALOGUE, isCode } from "../../contracts/catalogue.ts";
import type { ChildResult } from "../../contracts/documents/child-result.ts";
import { secondsOf } from "../core/clock.ts";
import type { Entry, Settled } from "./queue.ts";

/** Pause of an entry without one when nothing says how long to wait. */
export const DEFAULT_EVERY_SECONDS = 60;
const FIRST_BACKOFF_SECONDS = 30;
const LONGEST_BACKOFF_SECONDS = 3_600;

/**
 * What a run means for its entry. One job: over when its slot is done, held when it failed in a way that no
 * further try mends. Any job of a slot: due again after its pause, whatever one job came to. A run that was
 * stopped, and one that found the host held, leave the entry as due as it was.
 */
export function settle(entry: Entry, result: ChildResult, now: number): Settled {
  const same: Settled = { ...pickSettled(entry), last_outcome: result.outcome };
  switch (result.outcome) {
    case "completed":
    case "no_due_job":
      return entry.job_id === null
        ? { ...same, due: now + (entry.every_seconds ?? DEFAULT_EVERY_SECONDS), failures: 0 }
        : { ...same, state: "done", due: null, failures: 0 };
    case "deferred":
      return {
        ...same,
        due: secondsOf(result.next_due_utc ?? "") ?? now + DEFAULT_EVERY_SECONDS,
        failures: 0,
      };
    case "failed":
      return failed(entry, result, now);
    case "held":
    case "busy":
      return same;
  }
}

function failed(entry: Entry, result: ChildResult, now: number): Settled {
  const reason = result.reason ?? "INTERNAL_UNEXPECTED";
  const same: Settled = { ...pickSettled(entry), last_outcome: "failed" };
  if (reason === "INTERRUPTED") return same;
  const failures = entry.failures + 1;
  if (entry.job_id !== null && !worthRetry(reason)) return { ...same, state: "held", reason, failures };
  const backoff = Math.min(FIRST_BACKOFF_SECONDS * 2 ** Math.min(failures - 1, 10), LONGEST_BACKOFF_SECONDS);
  return { ...same, due: now + backoff, failures };
}

function worthRetry(reason: string): boolean {
  const entry = isCode(reason) ? CATALOGUE[reason] : null;
  return entry !== null && entry.kind !== "finding" && entry.retry;
}

const pickSettled = ({ state, reason, due, failures, last_outcome }: Entry): Settled => ({
  state,
  reason,
  due,
  failures,
  last_outcome,
});
