import type { Slot } from "../../../contracts/flow.ts";
import { html, type Markup } from "./markup.ts";
import type { ContentsView, SlotView, SubmissionView } from "./view.ts";
import { bytes, digest, moment, person } from "./words.ts";

/** What was handed in for a slot; of one handoff alone also what is in it. */
export const drawSubmissions = ({ slot, submissions }: SlotView): Markup => {
  const whole = submissions.some((one) => one.contents !== null);
  return html`<details data-fold="${slot} submissions"${whole ? html` open` : null}><summary>${
    submissions.length === 1 ? "1 submission" : `${submissions.length} submissions`
  }</summary>
<table class="rows"><thead><tr><th scope="col">Version</th><th scope="col">Result</th><th scope="col">Worker</th><th scope="col">Accepted</th></tr></thead>
<tbody>${submissions.map(
    ({ version, sha256, by, at }) =>
      html`<tr><td>${version}</td><td>${digest(sha256)}</td><td>${person(by)}</td><td>${moment(at)}</td></tr>`,
  )}</tbody></table></details>${submissions.map((one) => drawContents(slot, one))}`;
};

const drawContents = (slot: Slot, { version, contents }: SubmissionView): Markup | null =>
  contents === null
    ? null
    : html`<div class="contents"><dl><div><dt>Version</dt><dd>${version}</dd></div>
<div><dt>Bundle</dt><dd>${digest(contents.bundleSha256)} <span class="quiet">${bytes(contents.bundleBytes)}</span></dd></div>
<div><dt>Manifest</dt><dd>${digest(contents.manifestSha256)}</dd></div></dl>
<details data-fold="${slot} frames ${version}"><summary>${frameCount(contents)}</summary>
<table><thead><tr><th scope="col">Frame</th><th scope="col">Size</th><th scope="col">SHA-256</th></tr></thead>
<tbody>${contents.frames.map(
        (one) =>
          html`<tr><td>${one.frame}</td><td>${bytes(one.bytes)}</td><td>${digest(one.sha256)}</td></tr>`,
      )}</tbody></table>${contents.more === 0 ? null : html`<p class="quiet">and ${contents.more} more</p>`}</details></div>`;

const frameCount = ({ frames, more }: ContentsView): string =>
  frames.length + more === 1 ? "1 frame" : `${frames.length + more} frames`;
