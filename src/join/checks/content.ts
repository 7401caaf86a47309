import type { FindingCode } from "../../../contracts/catalogue.ts";
import type { ContentFigures, Finding } from "../../../contracts/documents/join-report.ts";
import type { Policy } from "../../../contracts/documents/policy.ts";
import { frameName, framesOf } from "../../../contracts/frame-names.ts";
import { compareFrames, type SeenFrame } from "../content/compare.ts";
import { BLANK_DEVIATION_PPM, seemsBlank } from "../content/look.ts";
import type { Facts } from "../facts.ts";
import { finding, type Place, slotPath } from "../finding.ts";

/** Where each stands, and the renders that it was taken from: docs/CONTENT.md. */
export const CONTENT_THRESHOLDS = {
  blank_deviation_ppm: BLANK_DEVIATION_PPM,
  /** Between the darkest and the brightest of all pixels: five 8-bit levels. */
  blank_contrast_ppm: 20_000,
  /** A frame that counts as black when a fade led to it. */
  black_mean_ppm: 20_000,
  /** How much a neighbour must have fallen for a fade: to nine tenths. */
  fade_share: 0.9,
  magenta_ppm: 5_000,
  /** A seam below this is no jump, however still the slots are. */
  seam_least_ppm: 10_000,
  /** A seam above this many times the largest step within the slots is one. */
  seam_times: 2,
} as const;

export interface ContentChecked {
  readonly findings: Finding[];
  readonly figures: ContentFigures;
}

/** Check `content`: what the pictures show. Warnings; rejections where the policy is strict about content. */
export function checkContent(facts: Facts, { strict_content }: Policy): ContentChecked {
  const seen = seenIn(facts);
  const figures = compareFrames(seen);
  const found = [
    ...seen.flatMap((one, index) => ofFrame(one, isFaded(seen, index))),
    ...duplicates(seen, figures),
    ...seam(figures),
  ];
  const findings = strict_content ? found.map((one): Finding => ({ ...one, severity: "reject" })) : found;
  return { findings, figures };
}

function seenIn({ job, slots }: Facts): SeenFrame[] {
  if (job === null) return [];
  return job.value.slots.flatMap((range) =>
    framesOf(range).flatMap((frame) => {
      const { frames, looks } = slots[range.id].bundle ?? {};
      const [facts, look] = [frames?.get(frame), looks?.get(frame)];
      if (facts === undefined || look === undefined) return [];
      return [{ frame, slot: range.id, pixelsSha256: facts.pixelsSha256, look }];
    }),
  );
}

const placeOf = ({ slot, frame }: SeenFrame): Place => ({
  slot,
  frame,
  path: slotPath(slot, `bundle.zip#${frameName(frame)}`),
});

const percent = (ppm: number): string => `${(ppm / 10_000).toFixed(2)} %`;

function ofFrame(seen: SeenFrame, faded: boolean): Finding[] {
  const { figures } = seen.look;
  const contrast = figures.luma_highest_ppm - figures.luma_lowest_ppm;
  const report = (code: FindingCode, expected: string, actual: string): Finding =>
    finding(code, { ...placeOf(seen), expected, actual });
  const findings: Finding[] = [];
  if (figures.magenta_ppm > CONTENT_THRESHOLDS.magenta_ppm)
    findings.push(
      report(
        "JOIN_CONTENT_MISSING_TEXTURE",
        `at most ${percent(CONTENT_THRESHOLDS.magenta_ppm)} of the frame in that pink`,
        percent(figures.magenta_ppm),
      ),
    );
  if (figures.transparent)
    findings.push(report("JOIN_CONTENT_TRANSPARENT", "a pixel that covers something", "alpha 0 everywhere"));
  else if (figures.constant && !faded)
    findings.push(
      report(
        "JOIN_CONTENT_CONSTANT",
        "pixels that differ",
        `one value, luma ${percent(figures.luma_mean_ppm)}`,
      ),
    );
  else if (seemsBlank(figures) && contrast <= CONTENT_THRESHOLDS.blank_contrast_ppm && !faded)
    findings.push(
      report(
        "JOIN_CONTENT_BLANK",
        `more than ${percent(CONTENT_THRESHOLDS.blank_contrast_ppm)} between the darkest and the brightest pixel`,
        percent(contrast),
      ),
    );
  return findings;
}

/**
 * Whether a black frame is the end of a fade out, or the start of a fade in: beside the black stand two frames
 * of which the nearer one is the darker.
 */
function isFaded(seen: readonly SeenFrame[], index: number): boolean {
  const mean = (at: number): number | undefined => seen[at]?.look.figures.luma_mean_ppm;
  const black = (at: number): boolean => (mean(at) ?? Infinity) <= CONTENT_THRESHOLDS.black_mean_ppm;
  if (!black(index)) return false;
  return [-1, 1].some((step) => {
    let near = index;
    while (black(near)) near += step;
    const [last, earlier] = [mean(near), mean(near + step)];
    return last !== undefined && earlier !== undefined && last <= earlier * CONTENT_THRESHOLDS.fade_share;
  });
}

/**
 * Neighbours with the same pixels where others of the range differ: a shot that never moves is none. Of frames
 * without content that is said already.
 */
function duplicates(seen: readonly SeenFrame[], { neighbours }: ContentFigures): Finding[] {
  if (neighbours.every((pair) => pair.same_pixels)) return [];
  return neighbours
    .filter((pair) => pair.same_pixels)
    .flatMap(({ from, to }) => {
      const [before, after] = [from, to].map((frame) => seen.find((one) => one.frame === frame));
      if (before === undefined || after === undefined || after.look.figures.constant) return [];
      const states = { expected: `other pixels than frame ${from}`, actual: after.pixelsSha256 };
      const found = finding("JOIN_CONTENT_DUPLICATE", { ...placeOf(after), ...states });
      // across the seam nobody knows which of the two is the copy
      return [before.slot === after.slot ? found : { ...found, blame: "both" as const }];
    });
}

function seam({ seam: figures }: ContentFigures): Finding[] {
  if (figures === null) return [];
  const { seam_least_ppm, seam_times } = CONTENT_THRESHOLDS;
  const most = Math.max(seam_least_ppm, figures.within_slots_ppm * seam_times);
  if (figures.difference_ppm <= most) return [];
  return [
    finding("JOIN_CONTENT_SEAM", {
      path: "slots/*/bundle.zip",
      expected: `at most ${percent(most)}: ${seam_times} times the ${percent(figures.within_slots_ppm)} within the slots`,
      actual: percent(figures.difference_ppm),
    }),
  ];
}
