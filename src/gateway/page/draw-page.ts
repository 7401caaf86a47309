import { drawEvents } from "./draw-events.ts";
import { drawHandoff } from "./draw-handoff.ts";
import { html, Markup } from "./markup.ts";
import type { PageView, PageWanted } from "./view.ts";
import { moment } from "./words.ts";

/** The shell of every page. */
export const drawShell = (title: string, body: Markup): string =>
  html`${DOCTYPE}<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="/page.svg" type="image/svg+xml"><link rel="stylesheet" href="/page.css"></head>
<body>${body}</body></html>`.text;
const DOCTYPE = html`<!doctype html>
`;

/** The whole page: complete without a script, which only keeps it up to date. */
export const drawPage = (view: PageView): string =>
  drawShell(
    view.wanted.jobId ?? "render-handoff",
    html`<a class="skip" href="#handoffs">To the handoffs</a>
<header class="top"><h1><a href="/">render-handoff</a></h1>
<p class="quiet" data-part=".gateway">gateway <code title="${view.gatewayId}">${view.gatewayId.slice(0, 10)}</code></p>
<p class="live"><span id="live" role="status" data-now="${view.now}">as of ${moment(view.now)}</span> <a href="${addressOf(view.wanted, view.wanted.before)}">refresh</a></p>
${view.wanted.named ? LOGOUT : null}</header>
<main>${view.wanted.jobId === null ? filter(view.wanted) : html`<p class="back"><a href="/">\u2190 all handoffs</a></p>`}
<p id="news" class="hidden" role="status" aria-live="polite"></p>
<section id="handoffs" aria-label="Handoffs" data-list>${view.handoffs.map((handoff) => drawHandoff(handoff, view.now))}${
      view.handoffs.length === 0 ? nothing(view.wanted) : null
    }</section>
${view.wanted.jobId === null ? pager(view) : null}
${drawEvents(view.events)}</main>
${SCRIPT}`,
  );

// no tagged template: for this closing tag in one the bundler calls a helper of a package that is not there
const SCRIPT = new Markup('<script src="/page.js" defer></script>');

const LOGOUT = html`<form method="post" action="/logout"><button type="submit">log out</button></form>`;

const filter = (
  wanted: PageWanted,
): Markup => html`<form class="filter" role="search" method="get" action="/">
<label>Search <input type="search" name="q" maxlength="100" value="${wanted.text}" placeholder="job or worker"></label>
<label>Show <select name="show">${(["all", "open", "done"] as const).map((one) =>
  one === wanted.show
    ? html`<option value="${one}" selected>${one}</option>`
    : html`<option value="${one}">${one}</option>`,
)}</select></label> <button type="submit">Filter</button></form>`;

const nothing = ({ text, jobId, show }: PageWanted): Markup =>
  html`<p class="empty" data-part=".empty">${
    jobId !== null
      ? "There is no such handoff."
      : text !== null || show !== "all"
        ? "No handoff is like that."
        : html`No handoffs yet: <code>render-handoff submit</code> makes one.`
  }</p>`;

function pager({ wanted, older }: PageView): Markup | null {
  if (older === null && wanted.before === null) return null;
  return html`<nav class="pager" data-part=".pager" aria-label="Pages">${
    wanted.before === null ? null : html`<a href="${addressOf(wanted, null)}">newest</a>`
  } ${older === null ? null : html`<a href="${addressOf(wanted, older)}">older</a>`}</nav>`;
}

function addressOf({ text, show, jobId }: PageWanted, before: number | null): string {
  const query = new URLSearchParams();
  if (jobId !== null) query.set("handoff", jobId);
  if (text !== null) query.set("q", text);
  if (show !== "all") query.set("show", show);
  if (before !== null) query.set("before", String(before));
  return query.size === 0 ? "/" : `/?${query.toString()}`;
}
