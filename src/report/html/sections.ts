import { undeclaredBeside } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { unmanagedAddress, type ShownChange, type Unmanaged } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { quoted } from "../../model/quote.ts";
import type { Step } from "../command.ts";
import type { RenderOptions } from "../options.ts";
import { groupDiagnostics, type DiagnosticGroup } from "../diagnostics.ts";
import { REMOVABLE, removableWord } from "../summary.ts";
import { codeList } from "./change-details.ts";
import { markup, sentence, type Markup } from "./markup.ts";
import { tableOf } from "./table.ts";

/** What to do next, one sentence each; none without sentences. */
export function nextSection(steps: readonly Step[]): Markup {
  if (steps.length === 0) return markup``;
  return markup`<section class="next" aria-labelledby="next"><h2 id="next">Next</h2><ul>${steps.map((step) => markup`<li>${sentence(step)}</li>`)}</ul></section>\n`;
}

/** The places of a warning are collapsed if there are more than this. */
const MAX_OPEN_PLACES = 5;

/** The errors, which stand before the changes: what follows may be incomplete. */
export function errorSection(diagnostics: readonly Diagnostic[]): Markup {
  const { errors } = groupDiagnostics(diagnostics);
  if (errors.length === 0) return markup``;
  return markup`<section aria-labelledby="errors"><h2 id="errors">Errors</h2>${errors.map(problemGroup)}</section>\n`;
}

/** The warnings, after the changes and folded. The summary says how many there are. Equal ones are together. */
export function warningSection(diagnostics: readonly Diagnostic[]): Markup {
  const { warnings } = groupDiagnostics(diagnostics);
  if (warnings.length === 0) return markup``;
  const count = warnings.reduce((sum, { places }) => sum + places.length, 0);
  const sorts = warnings.length === count || warnings.length === 1 ? "" : ` of ${plural(warnings.length, "sort")}`;
  return listSection("warnings", plural(count, "warning") + sorts, markup`${warnings.map(problemGroup)}`);
}

function problemGroup(group: DiagnosticGroup): Markup {
  const { severity, code, message, hint, command, places } = group;
  const isOpen = severity === "error" || places.length <= MAX_OPEN_PLACES;
  const shownHint = hint === undefined ? "" : markup`<div class="hint">${sentence({ text: hint, command })}</div>`;
  const items = places.filter((place) => place !== "").map((place) => markup`<li><code>${place}</code></li>`);
  const count = places.length > 1 ? markup` <span class="kind">(${plural(places.length, group.noun)})</span>` : "";
  return markup`<details class="problem"${isOpen ? markup` open` : ""}><summary><span class="mark ${severity}" aria-hidden="true">${severity === "error" ? "✗" : "!"}</span> <span class="word">${severity}</span> <code>${code}</code>${count} ${message}</summary><div class="body">${shownHint}<ul>${items}</ul></div></details>`;
}

/** The list of unmanaged objects is this long, unless it was asked for. */
const MAX_UNMANAGED = 500;

/** The live objects that nothing declares. */
export function unmanagedSection(list: readonly Unmanaged[], { unmanaged: isRequested }: RenderOptions): Markup {
  if (list.length === 0) return markup``;
  const shown = isRequested === true ? list : list.slice(0, MAX_UNMANAGED);
  const rows = shown.map(
    (one) =>
      markup`<tr><td><code>${unmanagedAddress(one)}</code></td><td>${one.kind}</td><td>${one.key === null ? markup`<i>(no name)</i>` : quoted(one.key)}</td></tr>`,
  );
  const omitted = list.length - shown.length;
  const note = omitted === 0 ? "" : markup`<p>${omitted} more are left out. <code>--unmanaged</code> lists all.</p>`;
  const table = tableOf(["Address", "Kind", "Name"], rows);
  return listSection("unmanaged", `${plural(list.length, "unmanaged object")}, left alone`, markup`${table}${note}`);
}

/** Live values that are neither declared nor compared, of all resources. */
export function uncomparedSection(changes: readonly ShownChange[]): Markup {
  const rows = changes.flatMap((change) => {
    const values = undeclaredBeside(change);
    if (values.length === 0) return [];
    return [markup`<tr><td><code>${change.address}</code></td><td>${codeList(values)}</td></tr>`];
  });
  if (rows.length === 0) return markup``;
  const title = `Not compared: live has more in ${plural(rows.length, "resource")}`;
  return listSection("more", title, tableOf(["Address", "Values that are not declared"], rows));
}

/** What of `lifecycle` has no effect any more on this service. */
export function removableSection(changes: readonly ShownChange[]): Markup {
  const rows = changes.flatMap(({ address, removable }) =>
    removable === undefined
      ? []
      : [markup`<tr><td><code>${address}</code></td><td>${removableWord(removable)}</td></tr>`],
  );
  if (rows.length === 0) return markup``;
  const title = `${REMOVABLE}: ${plural(rows.length, "entry", "entries")}`;
  return listSection("removable", title, tableOf(["Address", "Done"], rows));
}

/** The id is inside of what is closed: a link to it opens it, without a script as well. */
function listSection(name: string, title: string, body: Markup): Markup {
  return markup`<details class="list"><summary>${title}</summary><div class="body" id="${name}">${body}</div></details>\n`;
}
