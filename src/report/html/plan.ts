import { isRemoval } from "../../model/change.ts";
import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { ACTIONS } from "../marks.ts";
import type { RenderOptions } from "../options.ts";
import { rightsChanged } from "../person.ts";
import { undeclaredCount, unmanagedWord, warningCount } from "../summary.ts";
import { planView } from "../view.ts";
import { changesSection } from "./change-sections.ts";
import { htmlDocument } from "./document.ts";
import { type Count, pageHeader, reportFacts } from "./header.ts";
import { markup } from "./markup.ts";
import { errorSection, nextSection, tableSection, warningSection } from "./sections.ts";

/** A plan or a drift report as one HTML file. */
export function planHtml(document: PlanDocument, options: RenderOptions): string {
  const { type, diagnostics } = document;
  const view = planView(document, options, "html");
  const others = type === "driftline.drift" ? "Changed or missing" : "Created, updated or restored";
  const titles = ["Owners and admins", "Blocked", "Deleted or replaced", "Unknown", others];
  const sections = [
    errorSection(diagnostics),
    nextSection(view.steps),
    ...view.people.map((table) => tableSection(table, "open")),
    changesSection(view, { ...options, type, titles, sectionOf, empty: view.result }),
    warningSection(diagnostics),
    ...view.tables.map((table) => tableSection(table)),
  ];
  const body = markup`${pageHeader(view.name, view.title, planCounts(document), reportFacts(document, options))}<main>
${sections}</main>`;
  return htmlDocument(view.headline, body);
}

function planCounts(document: PlanDocument): readonly Count[] {
  const { type, changes, summary } = document;
  const warnings = warningCount(document);
  const values = undeclaredCount(document);
  const actions = Object.entries(ACTIONS).map(([action, { symbol, todo, drift }]): Count => {
    const count = changes.filter((change) => change.action === action).length;
    return { symbol, tone: action, count, word: type === "driftline.drift" ? drift : todo };
  });
  const blocked = changes.filter((change) => change.blocked !== null).length;
  const word = type === "driftline.drift" ? "that apply may not correct" : "blocked";
  return [
    { symbol: "!", tone: "blocked", count: blocked, word },
    ...actions,
    { symbol: "·", tone: "no_op", count: summary.unmanaged, word: unmanagedWord(document) },
    {
      symbol: "!",
      tone: "warning",
      count: warnings,
      word: warnings === 1 ? "warning" : "warnings",
      target: "warnings",
    },
    { symbol: "·", tone: "no_op", count: values, word: values === 1 ? "undeclared value" : "undeclared values" },
  ].filter(({ count }) => count > 0);
}

function sectionOf(change: ShownChange): number {
  if (rightsChanged(change) > 0) return 0;
  if (change.blocked !== null) return 1;
  if (isRemoval(change)) return 2;
  return change.action === "unknown" ? 3 : 4;
}
