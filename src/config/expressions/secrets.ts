import { childSchema, type FieldSchema, isSecretField, kindSchema } from "../../kinds/fields.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { isValueObject, leavesOf, own, type Secret, type Value } from "../../model/json/json.ts";
import { isMasked, isSecretName, SHORTEST_SECRET } from "../../model/secret-values.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { DesiredGraph, Resource } from "../../model/resource.ts";
import type { UsedSecret } from "../resources/graph.ts";
import { parseExpression } from "./expression.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Resolves a secret right before it is sent.
 *
 * @param ifMissing the result if a variable is missing, for callers that send nothing
 * @throws Error that names the missing environment variable, never a value
 */
export function resolveSecret(secret: Secret, env: Variables, ifMissing?: string): string {
  const parts = parseExpression(secret.expression);
  if ("malformed" in parts) throw new Error(`invalid secret expression: ${parts.malformed}`);
  if (ifMissing !== undefined && parts.some((part) => part.type !== "text" && valueOf(part.name, env) === ""))
    return ifMissing;
  return parts.map((part) => (part.type === "text" ? part.text : readSecret(part.name, env))).join("");
}

/** The value of a variable, or an empty text. Pipelines turn missing values into empty ones, so both mean the same. */
function valueOf(name: string, env: Variables): string {
  return own(env, name) ?? "";
}

function missingMessage(name: string): string {
  return `environment variable ${name}, a secret, is not set or empty`;
}

function readSecret(name: string, env: Variables): string {
  const value = valueOf(name, env);
  if (value === "") throw new Error(missingMessage(name));
  return value;
}

/** Returns an error for each secret that cannot be resolved. */
export function missingSecrets(
  { secrets }: { readonly secrets: readonly UsedSecret[] },
  env: Variables,
): readonly Diagnostic[] {
  return secrets.flatMap(({ address, names, position }) =>
    names
      .filter((name) => valueOf(name, env) === "")
      .map((name): Diagnostic => {
        const message = missingMessage(name);
        return { severity: "error", code: "missing_secret", message, hint: `Set ${name}.`, address, ...position };
      }),
  );
}

/** The variables of secrets that have no value, each once. */
export function unsetSecrets(
  { secrets }: { readonly secrets: readonly UsedSecret[] },
  env: Variables,
): readonly string[] {
  return [...new Set(secrets.flatMap(({ names }) => names))].filter((name) => valueOf(name, env) === "");
}

/**
 * Registers the secrets that a configuration uses, if they are set, and texts that it holds under the names of secrets. A
 * text of less than SHORTEST_SECRET characters is left out, because it may occur inside other words. A variable always counts.
 */
export function registerConfigSecrets(
  { secrets, graph }: { readonly secrets: readonly UsedSecret[]; readonly graph: Pick<DesiredGraph, "resources"> },
  env: Variables,
  redactor: { readonly add: (secret: string) => void },
): void {
  for (const name of new Set(secrets.flatMap(({ names }) => names))) redactor.add(valueOf(name, env));
  for (const text of literalSecrets(graph.resources)) if (text.length >= SHORTEST_SECRET) redactor.add(text);
}

/**
 * Lists the literal texts in fields that are secret by schema or by name. Such a text was written down or read from a
 * file.
 *
 * @param isWanted selects the texts; by default all that do not look like a mask
 */
export function literalSecrets(
  resources: readonly Resource[],
  isWanted: (text: string | number) => boolean = (text) => !isMasked(text),
): ReadonlySet<string> {
  const literals = resources.flatMap(({ kind, values }) => secretLiterals(kind, kindSchema(kind), values));
  return new Set(literals.filter(isWanted).map(String));
}

type Literals = readonly (string | number)[];

function secretLiterals(kind: KindName, schema: FieldSchema | undefined, value: Value): Literals {
  if (Array.isArray(value)) return value.flatMap((item: Value) => secretLiterals(kind, schema?.items, item));
  if (!isValueObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const child = childSchema(kind, schema, key, value);
    return isSecretName(key) || isSecretField(child) ? literalsIn(member) : secretLiterals(kind, child, member);
  });
}

/** All literals of a secret value. */
function literalsIn(value: Value): Literals {
  return leavesOf(value).flatMap(({ value: leaf }) =>
    typeof leaf === "string" || typeof leaf === "number" ? leaf : [],
  );
}
