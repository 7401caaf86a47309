import { afterAll } from "vitest";
import { FAULT_POINTS, type FaultPoint } from "../../src/gateway/queue/queue.ts";

/** Counts the crash points of rule 7 at which a gateway of this file has ended itself; says so at the end. */
export function countCrashPoints(store: string): (point: FaultPoint) => void {
  const ended = new Set<FaultPoint>();
  afterAll(() => {
    console.log(`crash points of rule 7: SIGKILL at ${ended.size} of ${FAULT_POINTS.length}, on ${store}`);
  });
  return (point) => void ended.add(point);
}
