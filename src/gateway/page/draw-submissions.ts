import { html, type Markup } from "./markup.ts";
import type { ContentsView, SubmissionView } from "./view.ts";
import { bytes, digest, moment, person } from "./words.ts";

/** What was handed in for a slot. */
export const drawSubmissions = (all: readonly SubmissionView[]): Markup => html`<details><summary>${
  all.length === 1 ? "1 submission" : `${all.length} submissions`
}</summary>
<table><thead><tr><th scope="col">Version</th><th scope="col">Result</th><th scope="col">Worker</th><th scope="col">Accepted</th></tr></thead>
<tbody>${all.map(
  ({ version, sha256, by, at }) =>
    html`<tr><td>${version}</td><td>${digest(sha256)}</td><td>${person(by)}</td><td>${moment(at)}</td></tr>`,
)}</tbody></table></details>${all.map(drawContents)}`;

const drawContents = ({ version, contents }: SubmissionView): Markup | null =>
  contents === null
    ? null
    : html`<details class="contents"><summary>${frameCount(contents)} of version ${version}</summary>
<dl><div><dt>Bundle</dt><dd>${digest(contents.bundleSha256)} <span class="quiet">${bytes(contents.bundleBytes)}</span></dd></div>
<div><dt>Manifest</dt><dd>${digest(contents.manifestSha256)}</dd></div></dl>
<table><thead><tr><th scope="col">Frame</th><th scope="col">Size</th><th scope="col">SHA-256</th></tr></thead>
<tbody>${contents.frames.map(
        (one) =>
          html`<tr><td>${one.frame}</td><td>${bytes(one.bytes)}</td><td>${digest(one.sha256)}</td></tr>`,
      )}</tbody></table>${contents.more === 0 ? null : html`<p class="quiet">and ${contents.more} more</p>`}</details>`;

const frameCount = ({ frames, more }: ContentsView): string =>
  frames.length + more === 1 ? "1 frame" : `${frames.length + more} frames`;
