import type { JoinReport } from "../../../../contracts/documents/join-report.ts";
import { html, type Markup } from "./markup.ts";

/** What the verdict was made of, in full: digests of frames and of the evidence's files, and the policy. */
export function evidenceSection(report: JoinReport): Markup {
  return html`<section aria-labelledby="evidence">
<h2 id="evidence">In full</h2>
${report.frames.length === 0 ? null : folded("Digests of the frames", frames(report))}
${report.evidence.length === 0 ? null : folded("Files of the evidence", files(report))}
${folded("Policy", policy(report))}
</section>`;
}

const folded = (name: string, inner: Markup): Markup =>
  html`<details><summary>${name}</summary>${inner}</details>`;

const table = (name: string, columns: readonly string[], rows: readonly Markup[]): Markup =>
  html`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table><thead><tr>${columns.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;

const frames = (report: JoinReport): Markup =>
  table(
    "Digests of the frames",
    ["Frame", "SHA-256 of the file", "SHA-256 of the pixels"],
    report.frames.map(
      (one) =>
        html`<tr><th scope="row">${one.frame}</th><td><code>${one.sha256}</code></td><td><code>${one.pixels_sha256}</code></td></tr>`,
    ),
  );

const files = (report: JoinReport): Markup =>
  table(
    "Files of the evidence",
    ["File", "SHA-256", "Bytes"],
    report.evidence.map(
      (one) =>
        html`<tr><th scope="row">${one.path}</th><td><code>${one.sha256}</code></td><td class="number">${one.bytes}</td></tr>`,
    ),
  );

const policy = (report: JoinReport): Markup =>
  html`<dl class="facts">${Object.entries(report.policy).map(
    ([name, value]) =>
      html`<dt>${name}</dt><dd><code>${value === null ? "none" : [value].flat().join(", ")}</code></dd>`,
  )}</dl>`;
