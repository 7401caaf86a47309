import { CONTAINMENTS, type Containment } from "../../../contracts/documents/policy.ts";
import { HandoffError } from "../../core/error.ts";
import type { ContainmentReport } from "./detect.ts";

export interface ContainmentWish {
  readonly report: ContainmentReport;
  /** The job's policy.allow_containment. */
  readonly allowed: readonly Containment[];
  /** The operator vouches for the scene: weaker rungs than bwrap are taken too. */
  readonly trustScenes: boolean;
  /** The job's render.allow_scripts. */
  readonly jobScripts: boolean;
  /** The worker's own --allow-scripts. */
  readonly workerScripts: boolean;
}

export interface ContainmentPlan {
  readonly containment: Containment;
  readonly allowScripts: boolean;
}

/**
 * The best containment that works here and is allowed. Throws RENDER_SCRIPTS_REFUSED when the job needs
 * scripts and not job, worker and bwrap all allow them; RENDER_CONTAINMENT_MISSING when nothing is left.
 */
export function planContainment(wish: ContainmentWish): ContainmentPlan {
  if (wish.jobScripts && !wish.workerScripts)
    throw new HandoffError("RENDER_SCRIPTS_REFUSED", "This worker does not allow them.");
  const works = CONTAINMENTS.filter((rung) => wish.report[rung].available && wish.allowed.includes(rung));
  const containment = works.find((rung) => rung === "bwrap" || (wish.trustScenes && !wish.jobScripts));
  if (containment !== undefined) return { containment, allowScripts: wish.jobScripts };
  const why = CONTAINMENTS.map(
    (rung) =>
      `${rung}: ${wish.report[rung].available ? (wish.allowed.includes(rung) ? "works" : "not allowed by the job") : wish.report[rung].detail}`,
  );
  if (wish.jobScripts)
    throw new HandoffError("RENDER_SCRIPTS_REFUSED", "There is no bubblewrap for them.", { details: why });
  throw new HandoffError("RENDER_CONTAINMENT_MISSING", undefined, { details: why });
}
