import type { Diagnostic } from "../../model/diagnostic.ts";
import { plural } from "../../model/text/plural.ts";
import type { Step } from "../command.ts";
import { groupDiagnostics, type DiagnosticGroup } from "../diagnostics.ts";
import type { Table } from "../view.ts";
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

/** A list of objects beside the changes. */
export function tableSection({ id, title, head, rows }: Table, state?: "open"): Markup {
  const cells = rows.map(
    ([address = "", ...rest]) =>
      markup`<tr><td><code>${address}</code></td>${rest.map((text) => markup`<td>${text}</td>`)}</tr>`,
  );
  return listSection(id, title, tableOf(head, cells), state);
}

/** The id is inside of what is closed: a link to it opens it, without a script as well. */
export function listSection(name: string, title: string, body: Markup, state: "open" | "closed" = "closed"): Markup {
  return markup`<details class="list"${state === "open" ? markup` open` : ""}><summary>${title}</summary><div class="body" id="${name}">${body}</div></details>\n`;
}
