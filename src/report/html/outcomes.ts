import type { Outcome, OutcomesDocument, Status } from "../../model/outcome.ts";
import type { ShownChange } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import type { RenderOptions } from "../options.ts";
import { outcomePhrases, outcomeSteps, verdict } from "../outcome-phrases.ts";
import { isShown, STATUSES } from "../marks.ts";
import { changesSection } from "./change-sections.ts";
import { keysHelp } from "./controls.ts";
import { htmlDocument } from "./document.ts";
import { type Count, pageHeader, reportFacts } from "./header.ts";
import { markup } from "./markup.ts";
import { uncomparedSection, nextSection, errorSection, unmanagedSection, warningSection } from "./sections.ts";

/** The outcomes of an apply as one HTML file. */
export function outcomesHtml(document: OutcomesDocument, options: RenderOptions): string {
  const { type, url, changes, diagnostics, unmanaged, requests } = document;
  const shown = changes.filter(isShown);
  const facts = [...reportFacts(document, options), ["Sent", markup`${plural(requests, "request")}`] as const];
  const title = `${verdict(document)}: ${url}`;
  const sections = [
    errorSection(diagnostics),
    nextSection(outcomeSteps(document, options)),
    changesSection(shown, {
      ...options,
      type,
      titles: TITLES,
      sectionOf,
      empty: "There was nothing to do.",
      diagnostics,
    }),
    warningSection(diagnostics),
    unmanagedSection(unmanaged, options),
    uncomparedSection(changes),
  ];
  const body = markup`${pageHeader("driftline apply", title, statusCounts(changes), facts)}<main>
${sections}</main>
<footer>${shown.length > 0 ? keysHelp() : ""}</footer>`;
  return htmlDocument(`driftline apply: ${[verdict(document), ...outcomePhrases(document)].join(", ")}`, body);
}

/** What needs most care comes first. */
const ORDER = ["failed", "unknown", "unverified", "skipped", "yielded", "applied"] as const satisfies readonly Status[];

function statusCounts(changes: readonly Outcome[]): readonly Count[] {
  const tried = changes.filter(({ action, status }) => action !== "no_op" || status !== "applied");
  const statuses = ORDER.map((status): Count => {
    const { symbol, word } = STATUSES[status];
    return { symbol, tone: status, count: tried.filter((one) => one.status === status).length, word };
  });
  const unchanged = { symbol: "=", tone: "no_op", count: changes.length - tried.length, word: "unchanged" };
  return [...statuses, unchanged].filter(({ count }) => count > 0);
}

const TITLE_OF: Readonly<Record<Status, string>> = {
  failed: "Failed",
  unknown: "Outcome unknown",
  unverified: "Unverified",
  skipped: "Skipped",
  yielded: "Yielded to another run",
  applied: "Applied",
};

const TITLES = ["Failed", "Outcome unknown", "Unverified", "Blocked", "Skipped", "Yielded to another run", "Applied"];

function sectionOf(change: ShownChange | Outcome): number {
  const title = change.blocked === null && "status" in change ? TITLE_OF[change.status] : "Blocked";
  return TITLES.indexOf(title);
}
