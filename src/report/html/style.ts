/**
 * The style of a report. Colours are named once for a light and once for a dark page, all texts with a contrast of at least
 * 4.5 to 1. No meaning is in a colour alone: each has a symbol or a word beside it.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --raised: #f6f7f8; --line: #d9dde2; --strong: #868e98;
  --text: #1b1f24; --muted: #57606a; --link: #0a58ad; --focus: #0a58ad;
  --green: #14632d; --yellow: #735000; --red: #a8201a; --magenta: #7a2a8a; --cyan: #00606b;
  --old: #fdeceb; --old-mark: #f7c0bb; --new: #e7f5ea; --new-mark: #a9deb5; --alert: #fdf1f0;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --raised: #1c2025; --line: #343a42; --strong: #767f8a;
    --text: #e3e6ea; --muted: #a3abb5; --link: #8abfff; --focus: #8abfff;
    --green: #86d79d; --yellow: #e6be68; --red: #ff9d95; --magenta: #dca8ea; --cyan: #77d3df;
    --old: #391c1c; --old-mark: #7b2f2d; --new: #142e1d; --new-mark: #23613a; --alert: #2b1b1c;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 84rem;
  background: var(--page); color: var(--text);
  font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
code, .address, .value, .pair, .lines, .mark {
  font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: 0.875em; font-variant-ligatures: none;
}
:is(code, .pair, .value, .lines, summary) :is(code, .pair, .value, .lines) { font-size: 1em; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; }
h2 { margin: 2.25rem 0 0.75rem; font-size: 1.125rem; line-height: 1.3; font-weight: 650; }
h3 { margin: 1.5rem 0 0.5rem; font-size: 0.9375rem; font-weight: 650; }
p, ul, dl { margin: 0; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; top: 0.5rem; padding: 0.5rem 0.75rem; background: var(--page); color: var(--link); z-index: 3; }
.skip:focus { left: 0.5rem; }
.name, .kind, .note, .hint, .total, dt { color: var(--muted); }
.name { font-size: 0.875rem; }
[hidden] { display: none !important; }

.counts { display: flex; flex-wrap: wrap; gap: 0.375rem 1.5rem; padding: 0; list-style: none; }
.counts li { display: flex; align-items: baseline; gap: 0.4em; }
.count { font-size: 1.25rem; font-weight: 650; font-variant-numeric: tabular-nums; }
.total { font-weight: 400; font-variant-numeric: tabular-nums; }
.facts { display: grid; gap: 0.125rem 0; margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 0.875rem; }
.facts > div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); }
dd { margin: 0; }

.mark { display: inline-block; min-width: 2.25em; padding: 0 0.3em; text-align: center; font-size: 1em; font-weight: 700; white-space: nowrap; }
.create, .applied, .yielded { color: var(--green); }
.update, .warning, .unverified { color: var(--yellow); }
.replace, .unknown { color: var(--magenta); }
.delete, .failed, .error { color: var(--red); }
.restore { color: var(--cyan); }
.no_op, .skipped { color: var(--muted); }
.blocked { border-radius: 3px; background: var(--red); color: var(--page); }

summary { cursor: pointer; }
.list, .problem { margin: 0.5rem 0 0; border: 1px solid var(--line); border-radius: 6px; }
.list > .body { scroll-margin-top: 11rem; }
.list > summary, .problem > summary { padding: 0.5rem 0.75rem; }
.list > .body, .problem > .body { padding: 0.25rem 0.75rem 0.75rem; }
.problem > .body { padding-left: 2rem; }
.problem li + li { margin-top: 0.375rem; }
main > .list { margin-top: 0.75rem; }
.next ul { padding-left: 1.25rem; }
.scroll { overflow-x: auto; overflow-wrap: normal; }
table { border-collapse: collapse; min-width: 100%; font-size: 0.875rem; }
th { color: var(--muted); font-weight: 400; }
th, td { padding: 0.25rem 1.25rem 0.25rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: baseline; }
tbody tr:last-child td { border-bottom: 0; }

.controls {
  position: sticky; top: 0; z-index: 2; margin: 0 -0.5rem; padding: 0.5rem;
  background: var(--page); border-bottom: 1px solid var(--line); font-size: 0.875rem;
}
.filters { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; }
.filters label { display: grid; flex: 1 1 8rem; gap: 0.125rem; min-width: 0; color: var(--muted); }
.filters .text { flex-grow: 1.5; }
.buttons { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin-top: 0.5rem; }
#status { margin-left: auto; color: var(--muted); font-variant-numeric: tabular-nums; }
select, input[type="search"], button {
  min-width: 0; min-height: 2.25rem; padding: 0.25rem 0.625rem; border: 1px solid var(--strong); border-radius: 5px;
  background: var(--page); color: var(--text); font: inherit;
}
button { cursor: pointer; }
button:hover { background: var(--raised); }
button[aria-pressed="true"] { background: var(--text); border-color: var(--text); color: var(--page); }

.change { border-top: 1px solid var(--line); scroll-margin-top: 8rem; }
.group .change:last-child { border-bottom: 1px solid var(--line); }
.change > summary {
  display: grid; grid-template-columns: 1rem 2.5rem 8rem minmax(0, 1fr) auto; gap: 0 0.5rem; align-items: baseline;
  padding: 0.5rem 0.25rem; list-style: none; scroll-margin-top: 8rem;
}
.change > summary::-webkit-details-marker { display: none; }
.change > summary::before { content: "\\25b8" / ""; color: var(--muted); font-size: 0.8em; }
.change[open] > summary::before { content: "\\25be" / ""; }
.change > summary:hover { background: var(--raised); }
.change > summary > .mark { justify-self: center; }
.address { font-weight: 600; }
.title { color: var(--muted); font-size: 0.875em; }
.kind { text-align: right; }
.reason { grid-column: 4 / -1; color: var(--muted); font-size: 0.875rem; }
.change > .body { padding: 0.25rem 0.25rem 1rem 13.25rem; }
.change > .body, .box { display: flow-root; }
.anchor { float: right; margin: 0 0.25rem 0 1rem; color: var(--muted); font-size: 0.8125rem; }
.change:target > summary { background: var(--raised); }
.box { margin: 0 0 0.625rem; padding: 0.5rem 0.75rem; border-left: 3px solid var(--red); background: var(--alert); font-size: 0.875rem; }

.fields, .meta { display: grid; gap: 0.375rem; margin-bottom: 0.375rem; }
p.note { margin-bottom: 0.375rem; }
.members { columns: 26rem; margin-top: 0.375rem; padding: 0; list-style: none; }
.members.short { columns: 8rem; }
.members li { break-inside: avoid; }
.meta dt { font-size: 0.875rem; }
.row, .meta > div { display: grid; grid-template-columns: minmax(8rem, 15rem) minmax(0, 1fr); gap: 0 1rem; align-items: baseline; }
.row.block { display: block; }
.path { color: var(--muted); }
.path, .value, .lines, del, ins { white-space: pre-wrap; }
del, ins { text-decoration: none; border-radius: 2px; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
del { background: var(--old); }
ins { background: var(--new); }
del:not(.lines), ins:not(.lines) { padding: 0.1em 0.3em; }
.to { color: var(--muted); }
.lines { display: block; padding: 0.125rem 0.5rem; border-radius: 0; }
.lines > div { padding-left: 2ch; text-indent: -2ch; min-height: 1.5em; }
.lines > div > * { text-indent: 0; }
.block > .pair, .block > .lines { margin-top: 0.25rem; border: 1px solid var(--line); border-radius: 4px; overflow: hidden; }
.pair > .note { padding: 0 0.5rem; background: var(--raised); font-size: 0.9em; }
.value.lines > div { padding-left: 0; text-indent: 0; }
mark { background: none; color: inherit; font-weight: 700; border-radius: 2px; }
del mark { background: var(--old-mark); }
ins mark { background: var(--new-mark); }
.copy { display: none; }

@media (min-width: 46rem) {
  .side .pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 1px; }
  .side .pair > .note { grid-column: 1 / -1; }
  .side .pair > :is(del, .same) { grid-column: 1; }
  .side .pair > :is(ins, .copy) { grid-column: 2; }
  .side .pair > .copy { display: block; }
  .side .pair > .to { display: none; }
}
@media (max-width: 45.99rem) {
  body { padding: 1.25rem 1rem 3rem; }
  .controls { position: static; }
  #side { display: none; }
  h1 { font-size: 1.1875rem; }
  .facts > div { grid-template-columns: 6rem minmax(0, 1fr); }
  .meta > div { grid-template-columns: 6.5rem minmax(0, 1fr); }
  .change > summary { grid-template-columns: 0.75rem 2.25rem minmax(0, 1fr) auto; gap: 0 0.375rem; }
  .change > summary > .object { grid-row: 2; grid-column: 3 / -1; }
  .reason { grid-column: 3 / -1; }
  .change > .body { padding-left: 1.375rem; }
  .row, .row > .path { display: block; }
  .anchor { float: none; display: block; margin: 0 0.25rem 0.25rem; text-align: right; }
}
@media screen { .out { display: none; } }
@media print {
  :root { font-size: 10pt; }
  body { max-width: none; padding: 0; }
  .controls, .skip, .copy, .anchor { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
  summary { break-after: avoid; }
  .change > summary, .row { break-inside: avoid; }
  .change > summary::before { visibility: hidden; }
  .scroll { overflow: visible; }
  del, ins, mark, .blocked, .box { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
@media (forced-colors: active) {
  mark { text-decoration: underline; }
  .blocked { border: 1px solid; }
}
`;
