import type { JoinReport } from "../../../contracts/documents/join-report.ts";
import { SLOTS, type Slot } from "../../../contracts/flow.ts";

export interface FailedFrame {
  readonly slot: Slot;
  readonly frame: number;
}

/** Frames that a finding names and that are not among the verified ones, in the order of the range. */
export function failedFrames({ findings, frames }: Pick<JoinReport, "findings" | "frames">): FailedFrame[] {
  return SLOTS.flatMap((slot) => {
    const verified = new Set(frames.flatMap((one) => (one.slot === slot ? [one.frame] : [])));
    const named = findings.flatMap((one) => (one.slot === slot && one.frame !== null ? [one.frame] : []));
    return [...new Set(named)].filter((frame) => !verified.has(frame)).map((frame) => ({ slot, frame }));
  }).sort((left, right) => left.frame - right.frame);
}

/** Codes of what keeps each frame from being accepted, each once, by slot and frame: `a 206`. */
export function faultsByFrame({ findings }: Pick<JoinReport, "findings">): ReadonlyMap<string, Set<string>> {
  const faults = new Map<string, Set<string>>();
  for (const { code, severity, slot, frame } of findings) {
    if (severity === "warning" || slot === null || frame === null) continue;
    const key = keyOf({ slot, frame });
    faults.set(key, (faults.get(key) ?? new Set()).add(code));
  }
  return faults;
}

export const keyOf = ({ slot, frame }: FailedFrame): string => `${slot} ${frame}`;
