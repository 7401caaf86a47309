import { drawSlot } from "./draw-slot.ts";
import { html, type Markup } from "./markup.ts";
import type { HandoffView, VerdictView } from "./view.ts";
import { digest, frames, moment } from "./words.ts";

/** One handoff: its two slots side by side, and what a checker said of them. */
export const drawHandoff = (handoff: HandoffView, now: number): Markup => {
  const id = `handoff-${handoff.jobId}`;
  const joined = handoff.verdict?.verdict === "accepted" && !handoff.verdict.superseded;
  return html`<article class="handoff" data-part="${handoff.jobId}" aria-labelledby="${id}">
<header><h2 id="${id}"><a href="/?handoff=${handoff.jobId}">${handoff.jobId}</a></h2>
<p class="quiet"><bdi>${handoff.scene}</bdi> \u00b7 ${frames(handoff.first, handoff.last)} \u00b7 ${handoff.engine.toLowerCase()} \u00b7 ${handoff.width} \u00d7 ${handoff.height} \u00b7 ${handoff.samples} samples \u00b7 Blender ${handoff.blender}</p>
${drawVerdict(handoff)}</header>
<div class="slots">${handoff.slots.map((slot) => drawSlot(slot, now, joined))}</div></article>`;
};

function drawVerdict({ verdict, slots }: HandoffView): Markup {
  if (verdict !== null) return posted(verdict);
  const complete = slots.every((slot) => slot.state === "done");
  return html`<p class="verdict none">${complete ? "no verdict yet" : "in progress"}</p>`;
}

const posted = (
  verdict: VerdictView,
): Markup => html`<details data-fold="verdict" class="verdict ${verdict.superseded ? "superseded" : verdict.verdict}"><summary>${
  verdict.verdict
}${verdict.superseded ? ", since reopened" : null}</summary>
<p>Verdict ${verdict.version} by <bdi>${verdict.checker}</bdi>, ${moment(verdict.at)}, report ${digest(verdict.reportSha256)}</p>
${verdict.codes.length === 0 ? null : html`<ul>${verdict.codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>`}</details>`;
