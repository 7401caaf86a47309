import type { ContentFigures, JoinReport } from "../../../../contracts/documents/join-report.ts";
import { percent } from "../words.ts";
import { html, type Markup } from "./markup.ts";

const BAR = { width: 96, height: 8 } as const;

/** What the pictures show, as figures: each frame, and how much it differs from the one before it. */
export function contentSection({ content, frames }: JoinReport): Markup {
  if (content.frames.length === 0) return html``;
  const most = content.neighbours.reduce((top, one) => Math.max(top, one.difference_ppm), 1);
  const slotOf = new Map(frames.map((one) => [one.frame, one.slot]));
  const rows = content.frames.map((one, index) => {
    const slot = slotOf.get(one.frame);
    const step = content.neighbours.find((pair) => pair.to === one.frame);
    const seam = step !== undefined && slotOf.get(step.from) !== slot;
    return html`<tr class="${seam ? "seam" : "inner"}"><th scope="row">${one.frame}</th><td><span class="slot-${slot ?? "none"}">${slot ?? ""}</span></td>
<td class="number">${share(one.luma_mean_ppm)}</td><td class="number">${share(one.luma_deviation_ppm)}</td><td class="number">${share(one.alpha_mean_ppm)}</td><td class="number">${share(one.magenta_ppm)}</td>
<td>${step === undefined ? (index === 0 ? "the first frame" : "no frame before it") : change(step, most)}${seam ? ", across the seam" : ""}</td></tr>`;
  });
  return html`<section aria-labelledby="content">
<h2 id="content">What the pictures show</h2>
<p class="note">${summary(content)} Figures over a grid of samples; they warn, and reject only where the policy is strict about content.</p>
<div class="scroll" role="region" aria-labelledby="content" tabindex="0"><table>
<thead><tr><th scope="col">Frame</th><th scope="col">Slot</th><th scope="col" class="number">Luma</th><th scope="col" class="number">Spread</th><th scope="col" class="number">Alpha</th><th scope="col" class="number">Pink</th><th scope="col">Change from the frame before</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>
</section>`;
}

/** A number and its sign stay on one line. */
const share = (ppm: number): string => percent(ppm).replace(" ", "\u00a0");

type Step = ContentFigures["neighbours"][number];

function change({ difference_ppm, same_pixels }: Step, most: number): Markup {
  const width = Math.max(1, Math.round((difference_ppm / most) * BAR.width));
  return html`<svg width="${BAR.width}" height="${BAR.height}" aria-hidden="true"><rect class="bar" width="${width}" height="${BAR.height}" rx="2"/></svg>${same_pixels ? "the same pixels" : share(difference_ppm)}`;
}

function summary({ seam }: ContentFigures): string {
  if (seam === null) return "";
  return `Between the slots the picture changes by ${share(seam.difference_ppm)}; within them by ${share(seam.within_slots_ppm)} at most.`;
}
