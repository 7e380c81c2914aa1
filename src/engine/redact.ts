/**
 * Takes secrets out of documents.
 *
 * Premise: once a value is laid out (escaped, wrapped, cut), a secret in it cannot be recognised any more. So secrets are
 * taken out of the values, before anything is rendered or hashed. Addresses, kinds, hashes and counts stay as they are.
 */
import type { Redactor } from "../api/redact/redact.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Outcome, OutcomeError, OutcomesDocument } from "../model/outcome.ts";
import type { Plan, PlanDocument } from "../model/plan.ts";
import { withoutSecretValues } from "./plan-source.ts";

/** A plan without secrets. */
export function redactPlan<T extends Pick<Plan | PlanDocument, "changes" | "unmanaged">>(
  plan: T,
  redactor: Redactor,
): T {
  return {
    ...plan,
    changes: plan.changes.map((change) => redactChange(change, redactor)),
    unmanaged: plan.unmanaged.map((one) => redactUnmanaged(one, redactor)),
  };
}

/** Returns the same object if it holds no secret: there may be 100,000 of them. */
function redactUnmanaged<T extends Plan["unmanaged"][number]>(one: T, redactor: Redactor): T {
  const id = redactor.text(one.id);
  const key = one.key === null ? null : redactor.text(one.key);
  return id === one.id && key === one.key ? one : { ...one, id, key };
}

/** A plan document without secrets, its diagnostics included. */
export function redactDocument(document: PlanDocument, redactor: Redactor): PlanDocument {
  return {
    ...redactPlan(document, redactor),
    ...redactSource(document, redactor),
    diagnostics: redactDiagnostics(document.diagnostics, redactor),
  };
}

function redactSource({ source }: Pick<PlanDocument, "source">, redactor: Redactor): Pick<PlanDocument, "source"> {
  return source === undefined ? {} : { source: withoutSecretValues(source, [], redactor) };
}

/** An outcomes document without secrets. */
export function redactOutcomes(document: OutcomesDocument, redactor: Redactor): OutcomesDocument {
  return {
    ...redactPlan(document, redactor),
    ...redactSource(document, redactor),
    changes: document.changes.map((outcome) => redactOutcome(outcome, redactor)),
    diagnostics: redactDiagnostics(document.diagnostics, redactor),
  };
}

export function redactOutcome(outcome: Outcome, redactor: Redactor): Outcome {
  const { error } = outcome;
  return { ...redactChange(outcome, redactor), error: error === null ? null : redactError(error, redactor) };
}

export function redactDiagnostics(diagnostics: readonly Diagnostic[], redactor: Redactor): readonly Diagnostic[] {
  return diagnostics.map((one) => ({
    ...one,
    message: redactor.text(one.message),
    ...(one.hint === undefined ? {} : { hint: redactor.text(one.hint) }),
  }));
}

export function redactChange<T extends Omit<Change, "work">>(change: T, redactor: Redactor): T {
  const { id, reason, blocked, fields, more } = change;
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
    ...(more === undefined ? {} : { more: more.map((path) => redactor.text(path)) }),
  };
}

function redactError(error: OutcomeError, redactor: Redactor): OutcomeError {
  return {
    ...error,
    message: redactor.text(error.message),
    ...(error.hint === undefined ? {} : { hint: redactor.text(error.hint) }),
    ...(error.paths === undefined ? {} : { paths: error.paths.map((path) => redactor.text(path)) }),
  };
}
