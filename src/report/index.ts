import type { KindExplanation } from "../model/explain.ts";
import type { OutcomesDocument } from "../model/outcome.ts";
import type { PlanDocument } from "../model/plan.ts";
import { explainMarkdown } from "./markdown/explain.ts";
import { outcomesMarkdown } from "./markdown/outcomes.ts";
import { planMarkdown } from "./markdown/plan.ts";
import type { Format, RenderOptions } from "./options.ts";
import { safeJson } from "./escape.ts";
import { explainText } from "./text/explain.ts";
import { outcomesText } from "./text/outcomes.ts";
import { planText } from "./text/plan.ts";

export type { Format, RenderOptions } from "./options.ts";
export { renderDiagnostics } from "./diagnostics.ts";
export { sanitize } from "./escape.ts";
export { renderFileDiff } from "./text/file-diff.ts";
export { renderImportable } from "./text/importable.ts";

/**
 * Renders a plan or a drift report as text, as JSON, or as Markdown for a pull request.
 *
 * @example
 * process.stdout.write(renderPlan(document, "text", { color: true, width: 120, footer: "12 requests" }));
 */
export function renderPlan(document: PlanDocument, format: Format, options: RenderOptions): string {
  if (format === "json") return json(document);
  return format === "text" ? planText(document, options) : planMarkdown(document, options);
}

/**
 * Renders the outcomes of an apply.
 *
 * @example
 * process.stdout.write(renderOutcomes(document, "markdown", { color: false }));
 */
export function renderOutcomes(document: OutcomesDocument, format: Format, options: RenderOptions): string {
  if (format === "json") return json(document);
  return format === "text" ? outcomesText(document, options) : outcomesMarkdown(document, options);
}

/**
 * Renders the fields and the behaviour of a kind.
 *
 * @example
 * process.stdout.write(renderExplain(explanation, "text", { color: true }));
 */
export function renderExplain(kind: KindExplanation, format: Format, options: RenderOptions): string {
  if (format === "json") return json(kind);
  return format === "text" ? explainText(kind, options) : explainMarkdown(kind, options);
}

function json(document: unknown): string {
  return `${safeJson(document)}\n`;
}
