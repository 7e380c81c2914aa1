import type { PersonsPart } from "../../../engine/accept/by-person.ts";
import { type PlannedRun, withDiagnostics } from "../../../engine/plan/plan-config.ts";
import { redacted } from "../../../engine/redact.ts";
import type { RequestText } from "../../../forge/forge.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { plural } from "../../../model/text/plural.ts";
import { renderPlan } from "../../../report/index.ts";
import type { Runtime } from "../../runtime.ts";

/** The title and the body of the pull request. What could not be accepted stands among the warnings of the report. */
export function requestText(
  { redactor, invocation }: Runtime,
  run: PlannedRun,
  persons: readonly PersonsPart[],
  diagnostics: readonly Diagnostic[],
): RequestText {
  const count = new Set(persons.flatMap(({ edits }) => edits.map(({ source }) => source.address))).size;
  const { document } = withDiagnostics(run, redacted(diagnostics, redactor));
  const view = { color: false, showsNextSteps: false, accepts: true, toRunnable: invocation.toRunnable };
  return {
    title: `Accept ${plural(count, "change")} from the service`,
    body: redactor.text(renderPlan(document, "markdown", view)),
  };
}
