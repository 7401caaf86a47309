import type { ChangeEvent } from "../../../contracts/wire/events.ts";
import { secondsOf } from "../../core/clock.ts";
import { html, type Markup } from "./markup.ts";
import type { EventView } from "./view.ts";
import { bytes, digest, moment, person } from "./words.ts";

/** What happened last, newest first. */
export const drawEvents = (
  events: readonly EventView[],
): Markup => html`<section class="events" data-part=".events" aria-labelledby="events">
<h2 id="events">Recent events</h2>
${
  events.length === 0
    ? html`<p class="quiet">Nothing has happened yet.</p>`
    : html`<table class="rows"><thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Task</th><th scope="col">Worker</th></tr></thead>
<tbody>${events.map(row)}</tbody></table>`
}</section>`;

const row = ({ event, worker }: EventView): Markup =>
  html`<tr><td>${moment(secondsOf(event.at) ?? 0)}</td><td>${words(event)}</td><td>${subject(event)}</td><td>${worker === null ? null : person(worker)}</td></tr>`;

const subject = ({ task_id, job_id }: ChangeEvent): Markup | string | null =>
  job_id === null ? task_id : html`<a href="/?handoff=${job_id}">${task_id ?? job_id}</a>`;

function words(event: ChangeEvent): Markup | string {
  switch (event.kind) {
    case "job_put":
      return html`job ${digest(event.detail.job_sha256)} put`;
    case "enqueued":
      return "enqueued";
    case "claimed":
      return `claimed, fence ${event.detail.fencing_token}`;
    case "lease_expired":
      return `lease ran out, fence ${event.detail.fencing_token}`;
    case "released":
      return html`given back, <code>${event.detail.reason}</code>`;
    case "blob_stored":
      return html`stored ${digest(event.detail.sha256)}, ${bytes(event.detail.bytes)}`;
    case "submitted":
      return html`handed in ${digest(event.detail.result_sha256)}`;
    case "reopened":
      return html`reopened as version ${event.detail.version}, <code>${event.detail.reason}</code>`;
    case "worker_registered":
      return "worker registered";
    case "worker_revoked":
      return "worker revoked";
    case "checker_revoked":
      return html`checker revoked, <code title="${event.detail.checker_uuid}">${event.detail.checker_uuid.slice(0, 10)}</code>`;
    case "verdict_posted":
      return html`${event.detail.verdict}, report ${digest(event.detail.report_sha256)}`;
  }
}
