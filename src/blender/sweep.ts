import type { Clock } from "../core/clock.ts";
import { endFamily, type Proof } from "./process/end-family.ts";
import { livingProcesses, markerOf, type ProcessEntry } from "./process/proc.ts";

export interface Sweep {
  /** Processes that were found before anything was done. */
  readonly found: number;
  readonly proof: Proof;
}

/**
 * Ends whatever earlier runs left behind: processes whose marker begins with `markerPrefix`. Made for the first
 * act of a run and for whoever must kill without having started (the heartbeat thread).
 */
export async function sweepLeftovers(options: {
  readonly markerPrefix: string;
  readonly clock: Clock;
}): Promise<Sweep> {
  const living = (): ProcessEntry[] => markedProcesses(options.markerPrefix);
  const found = living().length;
  if (found === 0) return { found, proof: "gone" };
  return { found, proof: await endFamily({ living, graceMs: 0, clock: options.clock }) };
}

/** Living processes whose marker begins so; this process is never one of them. */
export const markedProcesses = (markerPrefix: string): ProcessEntry[] =>
  livingProcesses().filter(
    (entry) => entry.pid !== process.pid && markerOf(entry.pid)?.startsWith(markerPrefix) === true,
  );
