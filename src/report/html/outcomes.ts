import type { Outcome, OutcomesDocument } from "../../model/outcome.ts";
import type { ShownChange } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { groupsOf } from "../change-groups.ts";
import type { RenderOptions } from "../options.ts";
import { outcomePhrases, outcomeSteps, verdict } from "../outcome-phrases.ts";
import { isShown, STATUSES } from "../marks.ts";
import { tablesOf } from "../view.ts";
import { changesSection } from "./change-sections.ts";
import { keysHelp } from "./controls.ts";
import { htmlDocument } from "./document.ts";
import { type Count, pageHeader, reportFacts } from "./header.ts";
import { markup } from "./markup.ts";
import { timeText } from "../time.ts";
import { errorSection, nextSection, tableSection, warningSection } from "./sections.ts";

/** The outcomes of an apply as one HTML file. */
export function outcomesHtml(document: OutcomesDocument, options: RenderOptions): string {
  const { type, url, changes, diagnostics, requests, record } = document;
  const shown = changes.filter(isShown);
  const facts = [
    ...reportFacts(document, { ...options, madeAt: undefined, commit: record.commit }),
    ["Began", markup`${timeText(record.started_at, "second")}`],
    ["Ended", markup`${timeText(record.ended_at, "second")}`],
    ["Key", markup`${record.user ?? `the one whose SHA-256 ends in ${record.key_hash_end ?? "?"}`}`],
    ["Sent", markup`${plural(requests, "request")}`],
  ] as const;
  const title = `${verdict(document)}: ${url}`;
  const sections = [
    errorSection(diagnostics),
    nextSection(outcomeSteps(document, options)),
    changesSection(groupsOf(shown, { ...options, type }), {
      ...options,
      type,
      titles: ORDER.map((one) =>
        (one === "blocked" ? one : STATUSES[one].word).replace(/^./u, (letter) => letter.toUpperCase()),
      ),
      sectionOf,
      empty: "There was nothing to do.",
      diagnostics,
    }),
    warningSection(diagnostics),
    ...tablesOf(document, options).map(tableSection),
  ];
  const body = markup`${pageHeader("driftline apply", title, statusCounts(changes), facts)}<main>
${sections}</main>
<footer>${shown.length > 0 ? keysHelp() : ""}</footer>`;
  return htmlDocument(`driftline apply: ${[verdict(document), ...outcomePhrases(document)].join(", ")}`, body);
}

/** What needs most care comes first. */
const ORDER = ["failed", "unknown", "unverified", "blocked", "skipped", "yielded", "applied"] as const;

function statusCounts(changes: readonly Outcome[]): readonly Count[] {
  const tried = changes.filter(({ action, status }) => action !== "no_op" || status !== "applied");
  const statuses = ORDER.flatMap((status): readonly Count[] => {
    const count = tried.filter((one) => one.status === status).length;
    return status === "blocked" ? [] : [{ ...STATUSES[status], tone: status, count }];
  });
  const unchanged = { symbol: "=", tone: "no_op", count: changes.length - tried.length, word: "unchanged" };
  return [...statuses, unchanged].filter(({ count }) => count > 0);
}

function sectionOf(change: ShownChange | Outcome): number {
  return ORDER.indexOf(change.blocked === null && "status" in change ? change.status : "blocked");
}
