/**
 * Documents without secrets.
 *
 * Premise: once a value is laid out (escaped, wrapped, cut), a secret in it looks like none any more; so it has to be taken out
 * of the values. Addresses and kinds are the configuration's own words, hashes and counts ours: these stay what they are.
 */
import type { Redactor } from "../api/redact/redact.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Outcome, OutcomeError, OutcomesDocument } from "../model/outcome.ts";
import type { Plan, PlanDocument } from "../model/plan.ts";

/** A plan as it may be shown. */
export function redactedPlan<T extends Pick<Plan | PlanDocument, "changes" | "unmanaged">>(
  plan: T,
  redactor: Redactor,
): T {
  return {
    ...plan,
    changes: plan.changes.map((change) => redactedChange(change, redactor)),
    unmanaged: plan.unmanaged.map((one) => redactedUnmanaged(one, redactor)),
  };
}

/** There may be 100,000 of them, and hardly ever is one a secret: no second copy of each. */
function redactedUnmanaged<T extends Plan["unmanaged"][number]>(one: T, redactor: Redactor): T {
  const id = redactor.text(one.id);
  const key = one.key === null ? null : redactor.text(one.key);
  return id === one.id && key === one.key ? one : { ...one, id, key };
}

/** A plan's document, with its diagnostics. */
export function redactedDocument(document: PlanDocument, redactor: Redactor): PlanDocument {
  return { ...redactedPlan(document, redactor), diagnostics: redactedDiagnostics(document.diagnostics, redactor) };
}

/** What came of an apply as it may be shown. */
export function redactedOutcomes(document: OutcomesDocument, redactor: Redactor): OutcomesDocument {
  return {
    ...redactedPlan(document, redactor),
    changes: document.changes.map((outcome) => redactedOutcome(outcome, redactor)),
    diagnostics: redactedDiagnostics(document.diagnostics, redactor),
  };
}

export function redactedOutcome(outcome: Outcome, redactor: Redactor): Outcome {
  const { error } = outcome;
  return { ...redactedChange(outcome, redactor), error: error === null ? null : redactedError(error, redactor) };
}

export function redactedDiagnostics(diagnostics: readonly Diagnostic[], redactor: Redactor): readonly Diagnostic[] {
  return diagnostics.map((one) => ({
    ...one,
    message: redactor.text(one.message),
    ...(one.hint === undefined ? {} : { hint: redactor.text(one.hint) }),
  }));
}

export function redactedChange<T extends Omit<Change, "work">>(change: T, redactor: Redactor): T {
  const { id, reason, blocked, fields } = change;
  return {
    ...change,
    id: id === null ? null : redactor.text(id),
    reason: redactor.text(reason),
    blocked: blocked === null ? null : { ...blocked, lift: redactor.text(blocked.lift) },
    fields: fields.map((field) => ({
      path: redactor.text(field.path),
      prior: redactor.json(field.prior),
      planned: redactor.json(field.planned),
    })),
  };
}

function redactedError(error: OutcomeError, redactor: Redactor): OutcomeError {
  return {
    ...error,
    message: redactor.text(error.message),
    ...(error.hint === undefined ? {} : { hint: redactor.text(error.hint) }),
  };
}
