import { createHash } from "node:crypto";
import type { JoinReport } from "../../../../contracts/documents/join-report.ts";
import type { Origin } from "../reproduce.ts";
import { verifyCommands } from "../reproduce.ts";
import { commands } from "./commands.ts";
import { contentSection } from "./content.ts";
import { evidenceSection } from "./evidence.ts";
import { findingsSection } from "./findings.ts";
import { html, Markup } from "./markup.ts";
import { type Picture, slotsSection } from "./slots.ts";
import { STYLE } from "./style.ts";
import { top } from "./top.ts";

export type { Picture } from "./slots.ts";

export interface PageOptions {
  readonly report: JoinReport;
  /** Thumbnails by frame, of those that could be drawn. */
  readonly pictures: ReadonlyMap<number, Picture>;
  readonly origin: Origin;
  /** Names of files beside the page, to be linked. */
  readonly beside: readonly string[];
}

const styleDigest = (): string => createHash("sha256").update(STYLE).digest("base64");

/**
 * `report.html`: one page without scripts, network or outside files. Its own policy forbids all of them; every
 * string that a worker or a gateway made is escaped by the template that it goes through.
 */
export function renderPage(options: PageOptions): string {
  const { report, pictures, origin, beside } = options;
  const policy = `default-src 'none'; style-src 'sha256-${styleDigest()}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const findings = findingsSection(report, origin);
  const slots = slotsSection(report, pictures);
  const faulty = report.verdict !== "accepted";
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title(report)}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the details</a>
${top(report)}
<main id="main" class="page">
${faulty ? [findings, slots] : [slots, findings]}
${contentSection(report)}
${again(report, origin, beside)}
${evidenceSection(report)}
</main>
<footer class="page">Written by render-handoff ${report.tool_version} on ${report.created_at}. Everything on this page is also in join-report.json.</footer>
</body>
</html>
`.text;
}

const title = ({ verdict, job_id }: JoinReport): string =>
  `${verdict[0]?.toUpperCase()}${verdict.slice(1)}: ${job_id ?? "unknown job"}`;

function again(report: JoinReport, origin: Origin, beside: readonly string[]): Markup {
  const files =
    beside.length === 0
      ? null
      : html`<h3>Beside this page</h3><ul class="files">${beside.map((name) => html`<li><a href="${name}">${name}</a></li>`)}</ul>`;
  return html`<section aria-labelledby="again">
<h2 id="again">Check it again</h2>
<p class="note">The verdict is a function of the evidence: the same folder gives the same verdict, offline, for anyone.</p>
${commands(verifyCommands(report, origin))}
${files}
</section>`;
}
