import { isRemoval } from "../../model/change.ts";
import { nextSteps } from "../next-steps.ts";
import { warningCount, cleanText, differences, errorCount, isClean, notReadText, undeclaredCount } from "../summary.ts";
import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { leftOutText, shownEffects } from "../effect/words.ts";
import type { RenderOptions } from "../options.ts";
import { ACTIONS, isShown } from "../marks.ts";
import { changesSection } from "./change-sections.ts";
import { keysHelp } from "./controls.ts";
import { htmlDocument } from "./document.ts";
import { type Count, pageHeader, reportFacts } from "./header.ts";
import { markup } from "./markup.ts";
import {
  uncomparedSection,
  nextSection,
  errorSection,
  removableSection,
  unmanagedSection,
  warningSection,
} from "./sections.ts";

/** A plan or a drift report as one HTML file. */
export function planHtml(document: PlanDocument, options: RenderOptions): string {
  const { type, url, changes, diagnostics, unmanaged } = document;
  const [name, title] =
    type === "driftline.drift" ? ["driftline drift", `Drift on ${url}`] : ["driftline plan", `Plan for ${url}`];
  const shown = changes.filter(isShown);
  const others = type === "driftline.drift" ? "Changed or missing" : "Created, updated or restored";
  const titles = ["Blocked", "Deleted or replaced", "Unknown", others];
  const steps = isClean(document) ? [] : nextSteps(document, { ...options, savedAs: undefined });
  const notRead = options.showsNextSteps === false ? [] : notReadText(document).map((text) => ({ text }));
  const found = differences(document);
  const errors = errorCount(document);
  const empty = errors === 0 ? cleanText(document) : "No difference was found, but errors were reported.";
  const result = errors === 0 ? "nothing differs" : plural(errors, "error");
  const sections = [
    errorSection(diagnostics),
    nextSection([...steps, ...notRead]),
    changesSection(shown, {
      ...options,
      type,
      titles,
      sectionOf,
      empty,
      diagnostics,
      effects: shownEffects(document),
      notes: leftOutText(document),
    }),
    warningSection(diagnostics),
    unmanagedSection(unmanaged, options),
    uncomparedSection(changes),
    removableSection(changes),
  ];
  const body = markup`${pageHeader(name, title, planCounts(document), reportFacts(document, options))}<main>
${sections}</main>
<footer>${shown.length > 0 ? keysHelp() : ""}</footer>`;
  return htmlDocument(`${name}: ${found.length === 0 ? result : found.join(", ")}`, body);
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
    { symbol: "·", tone: "no_op", count: summary.unmanaged, word: "unmanaged" },
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

function sectionOf({ action, blocked }: ShownChange): number {
  if (blocked !== null) return 0;
  if (isRemoval({ action })) return 1;
  return action === "unknown" ? 2 : 3;
}
