import { documentJson } from "../model/document-json.ts";
import type { OutcomesDocument } from "../model/outcome.ts";
import type { PlanDocument, ShownChange } from "../model/plan.ts";
import { outcomesHtml } from "./html/outcomes.ts";
import { planHtml } from "./html/plan.ts";
import { isUnseen } from "../model/change.ts";
import { outcomesMarkdown } from "./markdown/outcomes.ts";
import { planMarkdown } from "./markdown/plan.ts";
import type { Format, RenderOptions } from "./options.ts";
import { safeJson } from "./escape.ts";
import { readyDocument } from "./ready-document.ts";
import { outcomesText } from "./text/outcomes.ts";
import { planText } from "./text/plan.ts";

export type { Format, RenderOptions } from "./options.ts";
export { renderDiagnostics } from "./diagnostics.ts";
export { renderFileDiff } from "./text/file-diff.ts";
export { highRights } from "./person.ts";
export { renderImportable } from "./text/importable.ts";

/**
 * Renders a plan or a drift report as text, as JSON, as Markdown for a pull request, or as one HTML file.
 *
 * @example
 * process.stdout.write(renderPlan(document, "text", { color: true, width: 120, footer: "12 requests" }));
 */
export function renderPlan(document: PlanDocument, format: Format, options: RenderOptions): string {
  if (format === "json") return safeJson(documentJson(document));
  const render = { text: planText, markdown: planMarkdown, html: planHtml }[format];
  const sided = options.accepts === true ? { ...document, changes: document.changes.map(withFileSides) } : document;
  const shown = options.effect === false ? { ...sided, effects: undefined } : sided;
  return render(readyDocument(shown, format, options), options);
}

/** A difference in the direction in which the file changes. */
function withFileSides(change: ShownChange): ShownChange {
  if (isUnseen(change)) return change;
  const { removes = [], ...others } = change;
  const fields = change.fields.map(({ path, prior, planned }) => ({ path, prior: planned, planned: prior }));
  const added = removes.map(({ path, value }) => ({ path, prior: null, planned: value }));
  return { ...others, fields: [...fields, ...added] };
}

/**
 * Renders the outcomes of an apply.
 *
 * @example
 * process.stdout.write(renderOutcomes(document, "markdown", { color: false }));
 */
export function renderOutcomes(document: OutcomesDocument, format: Format, options: RenderOptions): string {
  if (format === "json") return safeJson(documentJson(document));
  const render = { text: outcomesText, markdown: outcomesMarkdown, html: outcomesHtml }[format];
  return render(readyDocument(document, format, options), options);
}
