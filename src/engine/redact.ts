/**
 * Takes secrets out of documents.
 *
 * Premise: once a value is laid out (escaped, wrapped, cut), a secret in it cannot be recognised any more. So secrets are
 * taken out of the values, before anything is rendered or hashed. Addresses, kinds, hashes and counts stay as they are.
 */
import type { CommandWords } from "../model/command.ts";
import type { Redactor } from "../api/redact/redact.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Effects, type EffectSide, isCalculated } from "../model/effect.ts";
import { isSecretName } from "../model/secret-values.ts";
import type { Outcome, OutcomeError, OutcomesDocument } from "../model/outcome.ts";
import type { Plan, PlanDocument, PlanSource } from "../model/plan.ts";

/** Shorter texts occur inside of many others, so they count as a secret only if they are the whole of it. Characters. */
const SHORTEST_PART = 4;

/**
 * The source as a document keeps it: variables that are secrets have no value. Undefined if a path contains a secret, because
 * then it cannot be kept.
 *
 * @param literals secrets that stand in the configuration as plain text; none if the variables were checked against them before
 */
export function withoutSecretValues(
  source: PlanSource,
  literals: Iterable<string>,
  redactor: Redactor,
): PlanSource | undefined {
  const texts = [...source.paths, ...source.variable_files, source.url ?? ""];
  if (texts.some((text) => redactor.json(text) !== text)) return undefined;
  const secret = secretVariables(source.variables, literals, redactor);
  const variables = source.variables.map(({ name, value }) => ({ name, value: secret.has(name) ? null : value }));
  return { ...source, variables };
}

/**
 * The names of variables with a value that is a secret, or a part of one, or contains one, and of those that have the name of
 * a secret.
 */
export function secretVariables(
  variables: PlanSource["variables"],
  literals: Iterable<string>,
  redactor: Redactor,
): ReadonlySet<string> {
  if (variables.length === 0) return new Set();
  const secrets = [...literals];
  const isSecret = (value: string): boolean =>
    redactor.json(value) !== value || secrets.some((secret) => feeds(value, secret));
  const found = variables.filter(({ name, value }) => value !== null && (isSecretName(name) || isSecret(value)));
  return new Set(found.map(({ name }) => name));
}

/** Whether the value of a variable is the secret, or one of them contains the other. A number may be written differently. */
function feeds(value: string, secret: string): boolean {
  if (value === secret || String(Number(value)) === secret) return true;
  const [shorter, longer] = value.length < secret.length ? [value, secret] : [secret, value];
  return shorter.length >= SHORTEST_PART && longer.includes(shorter);
}

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
    ...(document.effects === undefined ? {} : { effects: redactEffects(document.effects, redactor) }),
  };
}

/** Effects without secrets. The names of series and points come from the service. */
export function redactEffects({ insights, ...rest }: Effects, redactor: Redactor): Effects {
  const text = (value: string): string => redactor.text(value);
  const side = (one: EffectSide | null): EffectSide | null =>
    one && { ...one, points: one.points.map((point) => ({ ...point, at: text(point.at) })) };
  const redacted = insights.map((effect) =>
    isCalculated(effect)
      ? {
          ...effect,
          notes: effect.notes.map(text),
          series: effect.series.map((series) => ({
            ...series,
            label: text(series.label),
            before: side(series.before),
            after: side(series.after),
          })),
        }
      : { ...effect, not_calculated: text(effect.not_calculated) },
  );
  return { insights: redacted, ...rest };
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
    ...redactHint(one, redactor),
  }));
}

export function redactChange<T extends Omit<Change, "work">>(change: T, redactor: Redactor): T {
  const { id, name, link, reason, command, blocked, fields, more } = change;
  return {
    ...change,
    // A report may cut a name, and what is cut can no longer be recognized.
    ...(name === undefined ? {} : { name: redactor.text(name) }),
    ...(link === undefined || redactor.text(link) === link ? {} : { link: undefined }),
    id: id === null ? null : redactor.text(id),
    reason: redactor.text(reason),
    ...redactCommand(command, redactor),
    blocked: blocked && {
      ...blocked,
      remedy: redactor.text(blocked.remedy),
      ...redactCommand(blocked.command, redactor),
    },
    fields: fields.map((field) => ({
      path: redactor.text(field.path),
      prior: redactor.json(field.prior),
      planned: redactor.json(field.planned),
    })),
    ...(more === undefined ? {} : { more: more.map((path) => redactor.text(path)) }),
  };
}

function redactHint({ hint, command }: Pick<Diagnostic, "hint" | "command">, redactor: Redactor): Partial<Diagnostic> {
  return { ...(hint === undefined ? {} : { hint: redactor.text(hint) }), ...redactCommand(command, redactor) };
}

function redactCommand(
  command: CommandWords | undefined,
  redactor: Redactor,
): { readonly command?: CommandWords | undefined } {
  return command === undefined ? {} : { command: command.map((word) => redactor.text(word)) };
}

function redactError(error: OutcomeError, redactor: Redactor): OutcomeError {
  return {
    ...error,
    message: redactor.text(error.message),
    ...redactHint(error, redactor),
    ...(error.paths === undefined ? {} : { paths: error.paths.map((path) => redactor.text(path)) }),
  };
}
