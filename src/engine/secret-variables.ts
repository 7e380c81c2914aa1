/** Variables of the command line that are secrets, and the source of a plan without them. */
import type { Redactor } from "../api/redact/redact.ts";
import { isSecretVariable } from "../model/secret-values.ts";
import type { PlanSource } from "../model/plan.ts";

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
  const texts = [
    ...source.paths,
    ...source.variable_files,
    source.url ?? "",
    ...(source.files ?? []).map(({ file }) => file),
  ];
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
  const secretOnes = variables.filter(
    ({ name, value }) => value !== null && (isSecretVariable(name) || isSecret(value)),
  );
  return new Set(secretOnes.map(({ name }) => name));
}

/** Whether the value of a variable is the secret, or one of them contains the other. A number may be written differently. */
function feeds(value: string, secret: string): boolean {
  if (value === secret || String(Number(value)) === secret) return true;
  const [shorter, longer] = value.length < secret.length ? [value, secret] : [secret, value];
  return shorter.length >= SHORTEST_PART && longer.includes(shorter);
}
