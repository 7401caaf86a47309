import type { Finding, JoinReport } from "../../../../contracts/documents/join-report.ts";
import { checkCommands, type Origin } from "../reproduce.ts";
import { blamed, entryOf } from "../words.ts";
import { commands } from "./commands.ts";
import { html, type Markup } from "./markup.ts";

/** More than a person reads on a page; the report has them all. */
const MOST = 200;
const SEVERITY = { reject: "Rejects", undecided: "Leaves it undecided", warning: "Warning" } as const;
const RANK: Readonly<Record<Finding["severity"], number>> = { reject: 0, undecided: 1, warning: 2 };

/** Each finding: what is wrong, where, what was expected and found, whose it is, and how to see it again. */
export function findingsSection(report: JoinReport, origin: Origin): Markup {
  const { findings } = report;
  if (findings.length === 0) return html``;
  const sorted = findings.toSorted((left, right) => RANK[left.severity] - RANK[right.severity]);
  const more = findings.length - MOST;
  return html`<section aria-labelledby="findings">
<h2 id="findings">Findings<span class="count">${findings.length}</span></h2>
${sorted.slice(0, MOST).map((one) => finding(one, report, origin))}
${more > 0 ? html`<p class="note">And ${more} more in join-report.json.</p>` : null}
</section>`;
}

function finding(one: Finding, report: JoinReport, origin: Origin): Markup {
  const entry = entryOf(one);
  const blame = blamed(one);
  const row = (name: string, value: string | null): Markup | null =>
    value === null ? null : html`<dt>${name}</dt><dd>${value}</dd>`;
  const mono = (name: string, value: string | null): Markup | null =>
    value === null ? null : html`<dt>${name}</dt><dd><code>${value}</code></dd>`;
  return html`<article class="card finding ${one.severity}">
<h3>${entry?.summary ?? "Unknown code"}</h3>
<p class="code"><span class="severity">${SEVERITY[one.severity]}</span><code>${one.code}</code></p>
<dl class="facts">
${mono("Where", one.path)}
${mono("Expected", one.expected)}
${mono("Found", one.actual)}
${row("To blame", blame)}
${row("To do", entry?.action ?? null)}
<dt>See it again</dt><dd>${commands(checkCommands(one, report, origin))}</dd>
</dl>
</article>`;
}
