/** The page's one style sheet; the policy in the page allows it by its digest, and nothing else. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f8; --sheet: #ffffff; --ink: #1b1f27; --soft: #566072; --line: #dde1e9; --well: #eef0f4;
  --a: #0c6f7b; --b: #955505; --good: #17733f; --bad: #b4232f; --warn: #7a5600; --focus: #1d5fd1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #121419; --sheet: #1a1d24; --ink: #e7eaf0; --soft: #a0a9b8; --line: #2d333e; --well: #222731;
    --a: #62c5d0; --b: #e8b26e; --good: #64cf93; --bad: #ff858a; --warn: #e3bd4c; --focus: #7fb0ff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
}
.page { max-width: 68rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem); }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .84em; }
code { overflow-wrap: anywhere; }
a { color: inherit; text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--sheet); z-index: 1; }
h1, h2, h3, p, dl, dd, ul, figure { margin: 0; padding: 0; }
ul { list-style: none; }
h2 { font-size: 1.25rem; line-height: 1.3; margin-bottom: 1rem; letter-spacing: -.01em; }
h2 .count { color: var(--soft); font-weight: 400; margin-left: .35em; }
section { margin: 2.75rem 0; }

.top { background: var(--sheet); border-bottom: 1px solid var(--line); border-top: 6px solid var(--tone); }
.top .page { padding-block: 2.25rem 2rem; }
.accepted { --tone: var(--good); } .rejected { --tone: var(--bad); } .undecided { --tone: var(--warn); }
.eyebrow { color: var(--soft); font-size: .875rem; }
h1 {
  display: flex; align-items: center; gap: .5em; margin: .35rem 0 .5rem; color: var(--tone);
  font-size: clamp(2.1rem, 6vw, 3rem); line-height: 1.1; letter-spacing: -.025em;
}
h1 svg { width: .95em; height: .95em; flex: none; }
.lead { font-size: 1.125rem; max-width: 44rem; text-wrap: pretty; }
.facts { display: grid; align-items: baseline; grid-template-columns: max-content 1fr; gap: .3rem 1.25rem; font-size: .9375rem; }
.top .facts { margin-top: 1.5rem; }
dt { color: var(--soft); }
dd { min-width: 0; overflow-wrap: anywhere; }
.facts code { line-height: 1.6; }

.card { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; padding: 1.25rem 1.5rem; }
.card + .card { margin-top: 1rem; }
.finding { border-left: 5px solid var(--tone); }
.reject { --tone: var(--bad); } .warning { --tone: var(--warn); } .finding.undecided { --tone: var(--warn); }
.finding h3 { font-size: 1.0625rem; line-height: 1.4; margin-bottom: .2rem; text-wrap: pretty; }
.finding .code { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; margin-bottom: .9rem; }
.finding .severity { color: var(--tone); font-weight: 600; font-size: .875rem; }
.finding pre { margin-top: .3rem; }
pre {
  margin: 0; padding: .7rem .9rem; background: var(--well); border-radius: 6px; overflow-x: auto; line-height: 1.55;
}

.slot { padding: 0; overflow: hidden; border-top: 4px solid var(--slot); }
.slot.a { --slot: var(--a); } .slot.b { --slot: var(--b); }
.slot .who { padding: 1.25rem 1.5rem 1.35rem; }
.slot h3 { color: var(--slot); font-size: 1.125rem; margin-bottom: .75rem; }
.slot h3 span { color: var(--soft); font-weight: 400; margin-left: .5em; }
.frames { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: 1.25rem; padding: 0 1.5rem 1.5rem; }
.frames img, .frames .none {
  display: block; width: 100%; height: auto; border-radius: 6px; background: #181a1f;
}
.frames img.small { image-rendering: pixelated; }
.frames .none {
  aspect-ratio: 16 / 9; display: grid; place-items: center; color: var(--bad); background: var(--well);
  border: 1px dashed var(--bad); font-size: .9375rem;
}
figcaption { margin-top: .5rem; font-size: .875rem; line-height: 1.45; }
figcaption b { font-size: 1rem; } figcaption .size { color: var(--soft); float: right; }
figcaption .digests { display: grid; align-items: baseline; grid-template-columns: max-content 1fr; gap: 0 .6rem; margin-top: .15rem; }
figcaption dt { font-size: .8125rem; }

.scroll { overflow-x: auto; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .5rem .9rem; text-align: left; vertical-align: top; white-space: nowrap; }
thead th { color: var(--soft); font-weight: 500; border-bottom: 1px solid var(--line); }
tbody tr + tr > * { border-top: 1px solid var(--line); }
td.number, th.number { text-align: right; }
tbody th { font-weight: 600; }
tr.seam > * { background: var(--well); }
td svg { vertical-align: -1px; margin-right: .6rem; }
.bar { fill: var(--soft); } .seam .bar { fill: var(--ink); }
.slot-a { color: var(--a); } .slot-b { color: var(--b); } .slot-a, .slot-b { font-weight: 600; }
.note { color: var(--soft); font-size: .9375rem; margin-bottom: 1rem; max-width: 46rem; text-wrap: pretty; }
details { border: 1px solid var(--line); border-radius: 10px; background: var(--sheet); }
details + details { margin-top: .75rem; }
summary { padding: .8rem 1.25rem; cursor: pointer; font-weight: 500; }
details[open] > summary { border-bottom: 1px solid var(--line); }
details .scroll { border: 0; } details .facts { padding: 1rem 1.25rem; }
section > h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
.files { display: flex; flex-wrap: wrap; gap: .4rem 1.25rem; }
footer { color: var(--soft); font-size: .875rem; padding-block: 0 3rem; }

@media (max-width: 36rem) {
  body { font-size: 15px; }
  section { margin: 2rem 0; }
  .facts { grid-template-columns: 1fr; gap: 0; } .facts dd { margin-bottom: .55rem; }
  .card, .slot .who { padding-inline: 1rem; } .slot { padding: 0; } .frames { padding-inline: 1rem; }
}
@media (forced-colors: active) { .bar { fill: CanvasText; } }
@media print {
  body, .top { background: #fff; } .card, .frames li, tr { break-inside: avoid; } section { margin: 1.5rem 0; }
}
`;
