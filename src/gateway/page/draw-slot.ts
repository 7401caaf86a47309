import { drawSubmissions } from "./draw-submissions.ts";
import { html, type Markup } from "./markup.ts";
import type { SlotView } from "./view.ts";
import { duration, frames, person, STATES } from "./words.ts";

/** One half of a handoff; `joined` when a verdict has accepted it as it is. */
export const drawSlot = (slot: SlotView, now: number, joined: boolean): Markup => {
  const id = `slot-${slot.taskId}`;
  return html`<section class="slot" aria-labelledby="${id}" data-state="${slot.state}" data-task="${slot.taskId}">
<header><h3 id="${id}">Slot ${slot.slot}</h3> <span class="state ${slot.state}">${STATES[slot.state]}</span>
<span class="quiet">${frames(slot.first, slot.last)}</span></header>
<div class="body">${picture(slot, joined)}<dl>
<div><dt>Worker</dt><dd>${slot.worker === null ? html`<span class="quiet">nobody</span>` : person(slot.worker)}</dd></div>
<div><dt>Fence</dt><dd>${slot.fence} <span class="quiet">version ${slot.version}, ${claims(slot)}</span></dd></div>
${lease(slot, now)}</dl></div>
${progress(slot)}
${slot.submissions.length === 0 ? null : drawSubmissions(slot)}</section>`;
};

const claims = ({ claims, maxClaims }: SlotView): string =>
  `claim ${claims}${maxClaims === null ? "" : ` of ${maxClaims}`}`;

const picture = ({ preview, taskId, slot }: SlotView, joined: boolean): Markup | null =>
  preview === null
    ? null
    : html`<figure class="picture"><img src="/q/preview/${taskId}?seen=${preview.fence}.${preview.frame}.${preview.at}" alt="Frame ${preview.frame} of slot ${slot}, as its worker shows it" width="160" height="90" loading="lazy">
<figcaption>frame ${preview.frame} <span class="unverified">${joined ? "preview" : "unverified"}</span></figcaption></figure>`;

const lease = ({ expiresAt, progress }: SlotView, now: number): Markup | null =>
  expiresAt === null
    ? null
    : html`<div><dt>Lease</dt><dd><span data-until="${expiresAt}">${duration(expiresAt - now)}</span> left</dd></div>
${
  progress === null || progress.watchdog_left_s === null
    ? null
    : html`<div><dt>Watchdog</dt><dd>${duration(progress.watchdog_left_s)} left <span class="quiet">when last heard</span></dd></div>`
}`;

function progress({ state, progress, first, last, slot }: SlotView): Markup {
  const total = last - first + 1;
  const done = state === "done" ? total : (progress?.frames_done ?? 0);
  const sampled =
    progress === null || progress.sample === null || progress.samples === null || progress.samples === 0
      ? 0
      : progress.sample / progress.samples;
  const value = Math.min(
    total,
    done + (state === "leased" && progress?.phase === "render" ? Math.min(1, sampled) : 0),
  );
  const words = [
    `${Math.min(done, total)} of ${total} frames`,
    ...(progress === null ? [] : [progress.phase]),
    ...(progress === null || progress.frame === null ? [] : [`frame ${progress.frame}`]),
    ...(progress === null || progress.sample === null
      ? []
      : [`sample ${progress.sample} of ${progress.samples ?? "?"}`]),
  ];
  return html`<div class="progress"><progress max="${total}" value="${Number(value.toFixed(3))}" aria-label="Frames of slot ${slot}"></progress>
<p>${words.join(" \u00b7 ")}</p></div>`;
}
