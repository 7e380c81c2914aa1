/**
 * The style of effects. Each series has one colour on both sides: before it is dashed or outlined, after it is solid. All colours have
 * a contrast of at least 4.5 to 1 on the page, and no two of them look the same to the colour-blind. Several series have numbers as well.
 */
export const EFFECT_STYLE = `
:root {
  --s1: #0b5fc0; --s2: #b3430a; --s3: #00735a; --s4: #303f5a; --s5: #557f38;
  --s6: #ca3b8f; --s7: #630a82; --s8: #4522e4; --s9: #65573c; --s10: #7e3010;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --s1: #6cb2ff; --s2: #ff9a5c; --s3: #4fd1a8; --s4: #d8add9; --s5: #f6cc24;
    --s6: #ea63a7; --s7: #66e5f4; --s8: #9be4d1; --s9: #abb5b6; --s10: #bb8565;
  }
}
.s1 { --c: var(--s1); } .s2 { --c: var(--s2); } .s3 { --c: var(--s3); } .s4 { --c: var(--s4); } .s5 { --c: var(--s5); }
.s6 { --c: var(--s6); } .s7 { --c: var(--s7); } .s8 { --c: var(--s8); } .s9 { --c: var(--s9); } .s10 { --c: var(--s10); }
.key { --c: var(--muted); }
.effect { margin-top: 0.75rem; }
.effect svg { overflow: visible; }
.chart { display: block; font-size: 0.75rem; }
.line-chart { width: calc(100% - 4.75rem); max-width: 48rem; margin: 1rem 1.75rem 0.25rem 3rem; }
.bar-chart { width: calc(100% - 8.5rem); max-width: 48rem; margin: 0.75rem 8.5rem 0.25rem 0; }
.chart text { paint-order: stroke; stroke: var(--page); stroke-width: 3; fill: var(--text); font-variant-numeric: tabular-nums; }
.chart .tick, .chart .date { fill: var(--muted); }
.chart .tick { text-anchor: end; }
.chart .date { text-anchor: middle; }
.chart .number { fill: var(--c); font-weight: 650; }
.chart line { stroke: var(--line); }
.chart .zero { stroke: var(--strong); }
.effect path { fill: none; stroke: var(--c); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.effect path.before { stroke-dasharray: 3 5; }
.effect path.dot { stroke-width: 7; stroke-dasharray: none; }
.effect path.hole { stroke: var(--page); stroke-width: 3.5; }
.effect rect { fill: var(--c); stroke: var(--c); stroke-width: 1.5; }
.effect rect.before { fill: none; stroke-dasharray: 4 3; }
.swatch { width: 1.25rem; height: 0.5rem; vertical-align: middle; }
.totals { min-width: 0; }
.totals [scope="row"] { min-width: 5.5rem; }
.totals .title { color: var(--text); font-size: 1em; }
.totals thead th { white-space: nowrap; }
.effect tbody tr:last-child th { border-bottom: 0; }
@media (max-width: 45.99rem) { .totals :is(th, td) { padding-right: 0.75rem; } }
.effect tbody th { color: var(--text); }
.effect :is(th, td):not(:first-child) { text-align: right; font-variant-numeric: tabular-nums; }
.effect :is(th, td):last-child { padding-right: 0; }
.points { font-size: 0.875rem; }
section > .note { margin-top: 0.75rem; }
@media print { .chart, .totals { break-inside: avoid; } }
`;
