import { detectContainments } from "../blender/containment/detect.ts";
import type { Clock } from "../core/clock.ts";
import type { Line } from "./line.ts";

/** Which rungs of the containment ladder work here; without bwrap only trusted scenes are rendered. */
export async function examineContainment(clock: Clock): Promise<Line[]> {
  const report = await detectContainments(clock);
  const bwrap: Line = report.bwrap.available
    ? { subject: "containment bwrap", state: "ok", detail: report.bwrap.detail, action: null }
    : {
        subject: "containment bwrap",
        state: "warning",
        detail: report.bwrap.detail,
        action: "Install bubblewrap, or give --trust-scenes for scenes that you made yourself.",
      };
  const weaker = (["unshare", "process-group"] as const).map(
    (rung): Line => ({
      subject: `containment ${rung}`,
      state: report[rung].available ? "ok" : "warning",
      detail: report[rung].detail,
      action: null,
    }),
  );
  return [bwrap, ...weaker];
}
