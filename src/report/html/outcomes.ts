import type { Outcome, OutcomesDocument } from "../../model/outcome.ts";
import type { ShownChange } from "../../model/plan.ts";
import type { RenderOptions } from "../options.ts";
import { outcomeView } from "../outcome-view.ts";
import { STATUSES } from "../marks.ts";
import { tablesOf } from "../view.ts";
import { changesSection } from "./change-sections.ts";
import { htmlDocument } from "./document.ts";
import { type Count, pageHeader, reportFacts } from "./header.ts";
import { markup } from "./markup.ts";
import { errorSection, nextSection, tableSection, warningSection } from "./sections.ts";

/** The outcomes of an apply as one HTML file. */
export function outcomesHtml(document: OutcomesDocument, options: RenderOptions): string {
  const { type, url, changes, diagnostics } = document;
  const view = outcomeView(document, options);

  const facts = [...reportFacts(document, { ...options, madeAt: undefined, commit: undefined }), ...view.record];
  const title = `${view.verdict}: ${url}`;
  const sections = [
    errorSection(diagnostics),
    nextSection(view.steps),
    changesSection(
      { groups: view.groupsIf(() => true), shared: [] },
      {
        ...options,
        type,
        titles: ORDER.map((one) =>
          (one === "blocked" ? one : STATUSES[one].word).replace(/^./u, (letter) => letter.toUpperCase()),
        ),
        sectionOf,
        empty: "There was nothing to do.",
      },
    ),
    warningSection(diagnostics),
    ...tablesOf(document, options).map((table) => tableSection(table)),
  ];
  const body = markup`${pageHeader("driftline apply", title, statusCounts(changes), facts)}<main>
${sections}</main>`;
  return htmlDocument(`driftline apply: ${[view.verdict, ...view.counts].join(", ")}`, body);
}

/** What needs most care comes first. */
const ORDER = ["failed", "unknown", "unverified", "blocked", "skipped", "yielded", "applied", "unchanged"] as const;

function statusCounts(changes: readonly Outcome[]): readonly Count[] {
  return ORDER.flatMap((status): readonly Count[] => {
    const count = changes.filter((one) => one.status === status).length;
    if (status === "blocked" || count === 0) return [];
    return [{ ...STATUSES[status], tone: status === "unchanged" ? "no_op" : status, count }];
  });
}

function sectionOf(change: ShownChange | Outcome): number {
  return ORDER.indexOf(change.blocked === null && "status" in change ? change.status : "blocked");
}
