import { stepLines, toRunnable } from "../command.ts";
import { command } from "../../model/command.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { sanitize } from "../../model/quote.ts";
import { nextSteps, savedStep } from "../next-steps.ts";
import type { RenderOptions } from "../options.ts";
import { cleanText, counts, isClean, notReadText, removableText, undeclaredCount, warningCount } from "../summary.ts";
import { wrapLines, wrapWords } from "../wrap.ts";
import type { FieldLayout } from "./fields.ts";

/** What stands below the changes: their numbers, and what to do next. */
export function closing(
  document: PlanDocument,
  options: RenderOptions,
  { paint, width }: FieldLayout,
): readonly string[] {
  const count = warningCount(document);
  const warnings = count === 0 ? "" : ` ${plural(count, "warning")}.`;
  const footer = options.footer === undefined ? [] : [paint("dim", sanitize(options.footer))];
  const remarks =
    options.showsNextSteps === false
      ? []
      : [
          ...unmanagedSteps(document, options, width),
          ...undeclaredSteps(document, width),
          ...removableText(document).flatMap((sentence) => wrapWords(sentence, width)),
        ];
  if (isClean(document)) {
    const saved = options.savedAs === undefined ? [] : stepLines(savedStep(options.savedAs, undefined), width);
    return [
      ...wrapWords(cleanText(document) + warnings, width).map((line) => paint("green", line)),
      ...remarks,
      ...saved,
      ...footer,
    ];
  }
  const name = document.type === "driftline.drift" ? "Drift" : "Plan";
  const counted = counts(document);
  const sentence = `${name}: ${counted.length === 0 ? "nothing to compare" : counted.join(", ")}.${warnings}`;
  const steps = nextSteps(document, options).flatMap((step) => stepLines(step, width));
  return [...wrapLines(sentence, width).map((line) => paint("bold", line)), ...steps, ...remarks, ...footer];
}

/** How to see the unmanaged objects that a drift report only counts, and those that it has not read. A plan is not about them. */
function unmanagedSteps(document: PlanDocument, options: RenderOptions, width: number): readonly string[] {
  const { type, summary } = document;
  const notRead = notReadText(document);
  const hasMore = notRead.length > 0 || (type === "driftline.drift" && summary.unmanaged > 0);
  const what = notRead.length > 0 ? "all unmanaged objects" : `the ${plural(summary.unmanaged, "unmanaged object")}`;
  const words = toRunnable(command("drift", { unmanaged: true }), options);
  return [
    ...notRead.flatMap((sentence) => wrapWords(sentence, width)),
    ...(hasMore && options.unmanaged !== true ? stepLines({ text: `To list ${what}:`, command: words }, width) : []),
  ];
}

/** How to see the live values that a drift report only counts. */
function undeclaredSteps(document: PlanDocument, width: number): readonly string[] {
  const count = undeclaredCount(document);
  if (count === 0) return [];
  const what = count === 1 ? "the undeclared value" : `the ${String(count)} undeclared values`;
  return wrapWords(`To see ${what} as drift, write "undeclared: report" at the top of the file.`, width);
}
