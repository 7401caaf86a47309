import type { JoinReport } from "../../../../contracts/documents/join-report.ts";
import { SLOTS, type Slot } from "../../../../contracts/flow.ts";
import { failedFrames } from "../failed-frames.ts";
import { bytes, short } from "../words.ts";
import { html, Markup } from "./markup.ts";

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** A PNG file. */
  readonly png: Uint8Array;
  /** Enlarged: to be shown with hard edges. */
  readonly enlarged: boolean;
}

const MOST_FAILED = 60;

type Pictures = ReadonlyMap<number, Picture>;
type Frame = JoinReport["frames"][number];

/** Who handed in which frames: both slots with their provenance and thumbnails. */
export function slotsSection(report: JoinReport, pictures: Pictures): Markup {
  return html`<section aria-labelledby="slots">
<h2 id="slots">Slots and frames</h2>
${SLOTS.map((slot) => slotCard(slot, report, pictures))}
</section>`;
}

function slotCard(slot: Slot, report: JoinReport, pictures: Pictures): Markup {
  const from = report.provenance[slot];
  const frames = report.frames.filter((one) => one.slot === slot);
  // of a long range only some are drawn; the table of digests has them all
  const shown = frames.length > 60 ? frames.filter((one) => pictures.has(one.frame)) : frames;
  const failed = failedFrames(report)
    .filter((one) => one.slot === slot)
    .slice(0, MOST_FAILED);
  const list = [
    ...shown.map((one) => ({ frame: one.frame, item: frameItem(one, pictures) })),
    ...failed.map(({ frame }) => ({ frame, item: failedItem(frame) })),
  ].sort((left, right) => left.frame - right.frame);
  return html`<article class="card slot ${slot}">
<div class="who">
<h3>Slot ${slot}<span>${rangeOf(list.map((one) => one.frame))}</span></h3>
${from === null ? html`<p class="note">No complete provenance.</p>` : provenance(from)}
</div>
<ul class="frames">${list.map((one) => one.item)}</ul>
</article>`;
}

function rangeOf(frames: readonly number[]): string {
  const [first, last] = [frames.at(0), frames.at(-1)];
  if (first === undefined) return "no frames";
  return first === last ? `frame ${first}` : `frames ${first} to ${last}`;
}

const provenance = (from: NonNullable<JoinReport["provenance"][Slot]>): Markup => html`<dl class="facts">
<dt>Worker</dt><dd><code>${from.worker_uuid}</code>${from.operator === null ? null : html` of ${from.operator}`}</dd>
<dt>Fence</dt><dd>${from.fencing_token}, version ${from.version_num} of its task</dd>
<dt>Handed in</dt><dd><time>${from.created_at}</time></dd>
<dt>Rendered</dt><dd>Blender ${from.blender_version} in ${from.containment}</dd>
<dt>Bundle</dt><dd><code>${from.bundle_sha256}</code></dd>
<dt>Receipt</dt><dd><code>${from.receipt_sha256}</code></dd>
</dl>`;

function frameItem(one: Frame, pictures: Pictures): Markup {
  const picture = pictures.get(one.frame);
  const image =
    picture === undefined
      ? null
      : html`<img class="${picture.enlarged ? "small" : "fine"}" src="data:image/png;base64,${base64(picture.png)}" width="${picture.width}" height="${picture.height}" alt="Frame ${one.frame} of slot ${one.slot}">`;
  return html`<li><figure>${image}<figcaption><b>${one.frame}</b><span class="size">${bytes(one.bytes)}</span>
<dl class="digests"><dt>file</dt><dd><code title="${one.sha256}">${short(one.sha256)}</code></dd><dt>pixels</dt><dd><code title="${one.pixels_sha256}">${short(one.pixels_sha256)}</code></dd></dl></figcaption></figure></li>`;
}

const failedItem = (frame: number): Markup =>
  html`<li><figure><div class="none">not verified</div><figcaption><b>${frame}</b></figcaption></figure></li>`;

const base64 = (png: Uint8Array): Markup =>
  new Markup(Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString("base64"));
