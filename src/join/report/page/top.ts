import type { JoinReport } from "../../../../contracts/documents/join-report.ts";
import { type Anchors, anchorsOf, heldWords } from "../anchors.ts";
import { html, type Markup } from "./markup.ts";

/** One shape for each verdict, so that colour is not all that tells them apart. */
const SIGN: Readonly<Record<JoinReport["verdict"], Markup>> = {
  accepted: html`<path d="M7 12.5l3.4 3.4L17.2 9"/>`,
  rejected: html`<path d="M8.2 8.2l7.6 7.6M15.8 8.2l-7.6 7.6"/>`,
  undecided: html`<path d="M12 7v6M12 16.6v.2"/>`,
};
const WORD = { accepted: "Accepted", rejected: "Rejected", undecided: "Undecided" } as const;

/** The verdict, what it is about, and what it rests on. */
export function top(report: JoinReport): Markup {
  const { verdict, job_sha256, gateway_id } = report;
  return html`<header class="top ${verdict}"><div class="page">
<p class="eyebrow">render-handoff, join report</p>
<h1><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="12" cy="12" r="10.5"/>${SIGN[verdict]}</svg>${WORD[verdict]}</h1>
<p class="lead">${lead(report)}</p>
<dl class="facts">
<dt>Job digest</dt><dd><code>${job_sha256 ?? "none: there is no readable job"}</code></dd>
<dt>Gateway</dt><dd><code>${gateway_id ?? "unknown"}</code></dd>
<dt>Anchors</dt><dd>${anchors(report)}</dd>
</dl>
</div></header>`;
}

function lead(report: JoinReport): Markup {
  const { verdict, frames, findings } = report;
  const [first, last] = [frames.at(0)?.frame, frames.at(-1)?.frame];
  const whole = first !== undefined && last !== undefined && last - first === frames.length - 1;
  const job = report.job_id === null ? html`No readable job` : html`Job <b>${report.job_id}</b>`;
  const count = (severity: string): number => findings.filter((one) => one.severity === severity).length;
  const verified =
    first === undefined || last === undefined
      ? "no frame could be verified"
      : `${number(frames.length, "frame")} verified${whole ? `, ${first} to ${last}` : ""}`;
  switch (verdict) {
    case "accepted": {
      const warnings = count("warning");
      const rest = warnings === 0 ? "No findings." : `${number(warnings, "warning")} below.`;
      return html`${job}: ${verified}, and the halves belong together. ${rest}`;
    }
    case "rejected":
      return html`${job}: ${number(count("reject"), "fault")} proven, ${verified}. Nothing was assembled.`;
    case "undecided":
      return html`${job}: something was missing, or this machine failed; ${verified}. Nothing was assembled.`;
  }
}

const number = (count: number, what: string): string => `${count}\u00a0${what}${count === 1 ? "" : "s"}`;

function anchors(report: JoinReport): Markup {
  const { held, failed } = anchorsOf(report);
  const holds = heldWords(held);
  if (failed.length > 0)
    return html`not held: ${failed.map(failure)}${holds === null ? null : `; only ${holds}`}`;
  return html`${holds ?? "none: the checker expected no job or gateway, so this says only that the evidence agrees with itself"}`;
}

const failure = ({ what, expected, actual }: Anchors["failed"][number], index: number): Markup =>
  html`${index === 0 ? null : "; "}expected ${what} <code>${expected}</code>, was ${actual === null ? "none that could be read" : html`<code>${actual}</code>`}`;
