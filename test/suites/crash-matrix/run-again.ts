import { secondsOf, systemClock } from "../../../src/core/clock.ts";
import { runChild } from "../../../src/render-child/run.ts";
import { startChildProcess } from "../../support/child-process.ts";
import type { Party } from "./play-case.ts";

const MOST_RUNS = 12;
/** A lease that is lost more often was too short for this machine as it is now. */
const MOST_LOST = 1;

/**
 * Runs `render-child` as a person would until there is nothing more to do: again when a busy machine has lost
 * the lease, later when it says so. With an environment each run is a process of its own, else it is in this one,
 * which spares half of the matrix's time. Null when leases are too short.
 */
export async function runAgain(
  party: Party,
  env: Record<string, string> | null,
): Promise<{ lost: number; problems: string[] } | null> {
  let lost = 0;
  for (let runs = 0; runs < MOST_RUNS; runs += 1) {
    const result =
      env === null
        ? await runChild(party.options)
        : (await startChildProcess(party.options, { env }).ended).result;
    if (result === null) return { lost, problems: ["run again: no result"] };
    const { outcome, reason, next_due_utc } = result;
    if (outcome === "completed" || outcome === "no_due_job") return { lost, problems: [] };
    if (outcome === "deferred" && next_due_utc !== null) {
      const left = (secondsOf(next_due_utc) ?? 0) - systemClock.wallSeconds();
      await systemClock.sleep(Math.max(0.2, Math.min(left, 60)) * 1_000);
    } else if (reason === "LEASE_LOST") {
      lost += 1;
      if (lost > MOST_LOST) return null;
    } else return { lost, problems: [`run again: ${JSON.stringify(result)}`] };
  }
  return { lost, problems: [`not done after ${MOST_RUNS} runs`] };
}
