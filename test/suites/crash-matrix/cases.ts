import { CONTAINMENTS, type Containment } from "../../../contracts/documents/policy.ts";
import { FAULT_POINTS, type FaultPoint } from "../../../src/render-child/fault-points.ts";
import { pairCover } from "./pair-cover.ts";

export const SIGNALS = ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"] as const;
/** Who runs `render-child --slot a` after the crash. */
export const RERUN_BY = ["same", "another"] as const;

export interface CrashCase {
  readonly point: FaultPoint;
  readonly signal: (typeof SIGNALS)[number];
  readonly containment: Containment;
  readonly rerunBy: (typeof RERUN_BY)[number];
}

/** The whole product over what this machine offers. */
export const allCases = (containments: readonly Containment[] = CONTAINMENTS): CrashCase[] =>
  FAULT_POINTS.flatMap((point) =>
    SIGNALS.flatMap((signal) =>
      containments.flatMap((containment) =>
        RERUN_BY.map((rerunBy) => ({ point, signal, containment, rerunBy })),
      ),
    ),
  );

/** SIGKILL at every point in every containment, and a cover of all pairs of values. Always the same cases. */
export function sampleCases(containments: readonly Containment[] = CONTAINMENTS): CrashCase[] {
  const killed = FAULT_POINTS.flatMap((point, row) =>
    containments.map(
      (containment, column): CrashCase => ({
        point,
        signal: "SIGKILL",
        containment,
        rerunBy: (row + column) % 2 === 0 ? "same" : "another",
      }),
    ),
  );
  return [...killed, ...pairCover(allCases(containments), killed)];
}
