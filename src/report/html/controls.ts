/** The filters and the switches of a report. The script shows them, because they do nothing without it. */
import { compareNaturally } from "../../model/compare-text.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { ShownChange } from "../../model/plan.ts";
import { actionWord, type ReportType, STATUSES } from "../marks.ts";
import { markup, type Markup } from "./markup.ts";

/** The filters and switches. */
export function controls(changes: readonly (ShownChange | Outcome)[], type: ReportType): Markup {
  const actions = new Map(changes.map(({ action }) => [action, actionWord(action, type)]));
  const statuses = new Map(
    changes.flatMap((change) => ("status" in change ? [[change.status, STATUSES[change.status].word] as const] : [])),
  );
  const blocked = changes.some((change) => change.blocked !== null) ? [["blocked", "blocked"] as const] : [];
  return markup`<div id="controls" class="controls" role="search" aria-label="Changes" hidden>
<div class="filters">
${statuses.size === 0 ? "" : markup`${filter("status", "Status", [...statuses, ...blocked])}\n`}${filter("action", "Action", statuses.size === 0 ? [...actions, ...blocked] : [...actions])}
${filter("kind", "Kind", uniqueOptions(changes.map(({ kind }) => kind)))}
${filter("scope", "Scope", uniqueOptions(changes.map(({ address }) => scopeOf(address))))}
<label class="text">Text <input type="search" id="text" autocomplete="off" spellcheck="false"></label>
</div>
<div class="buttons">
<button type="button" id="clear">Clear filters</button>
<button type="button" id="expand">Expand all</button>
<button type="button" id="collapse">Collapse all</button>
<button type="button" id="side" aria-pressed="false">Side by side</button>
<p id="status" role="status"></p>
</div>
</div>
`;
}

function filter(name: string, label: string, options: readonly (readonly [string, string])[]): Markup {
  const rows = options.map(([value, text]) => markup`<option value="${value}">${text}</option>`);
  return markup`<label>${label} <select data-filter="${name}"><option value="">all</option>${rows}</select></label>`;
}

/** Each text once, in order. */
function uniqueOptions(texts: readonly string[]): readonly (readonly [string, string])[] {
  return [...new Set(texts)].toSorted(compareNaturally).map((text) => [text, text]);
}

/** The scope of an address: without its collection and its name. An organization is a scope itself. */
function scopeOf(address: string): string {
  return address.includes("/") ? address.split("/").slice(0, -2).join("/") : address;
}
