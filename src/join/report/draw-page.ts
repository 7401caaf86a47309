import type { JoinReport } from "../../../contracts/documents/join-report.ts";
import type { Clock } from "../../core/clock.ts";
import { rejectedBy } from "../assemble.ts";
import { drawSequence } from "../draw/draw-sequence.ts";
import type { EvidenceVerdict } from "../verdict.ts";
import { renderPage } from "./page/page.ts";
import { picturesOf } from "./picture.ts";
import type { Origin } from "./reproduce.ts";

export interface DrawPageOptions {
  readonly verdict: EvidenceVerdict;
  readonly origin: Origin;
  readonly clock: Pick<Clock, "sleep">;
  /** Ends it early, with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * The page of a verdict for which nothing is assembled, with thumbnails of the frames that passed. They are drawn
 * from a second decoder's pixels; where those are others, the verdict becomes a rejection.
 */
export async function drawPage({
  verdict,
  origin: from,
  clock,
  signal,
}: DrawPageOptions): Promise<{ report: JoinReport; page: string }> {
  const { verified, given } = verdict;
  const origin = { given, ...from };
  if (verified === null)
    return {
      report: verdict.report,
      page: renderPage({ report: verdict.report, pictures: new Map(), origin, beside: [] }),
    };
  const { thumbnails, findings } = await drawSequence({ verified, folder: null, clock, signal });
  const report = findings.length > 0 ? rejectedBy(verdict.report, findings) : verdict.report;
  const pictures = picturesOf(thumbnails, verified);
  return { report, page: renderPage({ report, pictures, origin, beside: [] }) };
}
