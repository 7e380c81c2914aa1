import type { Diagnostic } from "../../model/diagnostic.ts";
import { type Secret, isValueObject, type Value } from "../../model/json.ts";
import { parseExpression } from "./expression.ts";
import type { UsedSecret } from "../resources/graph.ts";
import { childSchema, isSecretField, kindSchema, type FieldSchema } from "../../kinds/fields.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { Resource } from "../../model/resource.ts";
import { isMasked, isSecretName } from "../../model/sensitive.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The value of a secret, at the moment of sending.
 *
 * @param inPlace what to give where the environment lacks it, if nothing will be sent
 * @throws Error that names the environment variable which is missing; never a value.
 */
export function resolveSecret(secret: Secret, env: Environment, inPlace?: string): string {
  const parts = parseExpression(secret.expression);
  if ("malformed" in parts) throw new Error(`not the expression of a secret: ${parts.malformed}`);
  if (inPlace !== undefined && parts.some((part) => part.type !== "text" && isMissing(part.name, env))) return inPlace;
  return parts.map((part) => (part.type === "text" ? part.text : valueOf(part.name, env))).join("");
}

/** An empty variable is what a pipeline gives for a secret that it may not read: as good as none. */
function isMissing(name: string, env: Environment): boolean {
  return !Object.hasOwn(env, name) || env[name] === undefined || env[name] === "";
}

function valueOf(name: string, env: Environment): string {
  if (isMissing(name, env)) throw new Error(`environment variable ${name}, a secret, is not set or empty`);
  return env[name] ?? "";
}

/** An error for each secret that cannot be resolved; of the resources at the addresses, or of all. */
export function missingSecrets(
  loaded: { readonly secrets: readonly UsedSecret[] },
  env: Environment,
  addresses?: Iterable<string>,
): readonly Diagnostic[] {
  const wanted = addresses === undefined ? undefined : new Set(addresses);
  return loaded.secrets
    .filter(({ address }) => wanted === undefined || wanted.has(address))
    .flatMap(({ address, names, position }) =>
      names
        .filter((name) => isMissing(name, env))
        .map((name): Diagnostic => {
          const message = `environment variable ${name}, a secret, is not set or empty`;
          return { severity: "error", code: "missing_secret", message, hint: `set ${name}`, address, ...position };
        }),
    );
}

interface LiteralSearch {
  readonly texts: Set<string>;
  readonly isWanted: (text: string | number) => boolean;
  /** Whether a key is named like a secret: there are few keys, in many resources. */
  readonly named: Map<string, boolean>;
}

/**
 * The texts that stand where a secret belongs, by schema or by name: somebody wrote one down, or read it from a file.
 *
 * @param isWanted decides which of them count; by default all that do not look like a mask
 */
export function literalSecrets(
  resources: readonly Resource[],
  isWanted: LiteralSearch["isWanted"] = (text) => !isMasked(text),
): ReadonlySet<string> {
  const search: LiteralSearch = { texts: new Set(), isWanted, named: new Map() };
  for (const { kind, values } of resources) collectTexts(kind, kindSchema(kind), values, false, search);
  return search.texts;
}

function collectTexts(
  kind: KindName,
  schema: FieldSchema | undefined,
  value: Value,
  hidden: boolean,
  search: LiteralSearch,
): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly Value[]) collectTexts(kind, schema?.items, item, hidden, search);
  } else if (isValueObject(value)) {
    for (const key of Object.keys(value)) {
      const child = childSchema(kind, schema, key, value);
      collectTexts(kind, child, value[key] ?? null, hidden || isNamed(key, search) || isSecretField(child), search);
    }
  } else if (hidden && (typeof value === "string" || typeof value === "number") && search.isWanted(value)) {
    search.texts.add(String(value));
  }
}

function isNamed(key: string, { named }: LiteralSearch): boolean {
  const known = named.get(key);
  if (known !== undefined) return known;
  const found = isSecretName(key);
  named.set(key, found);
  return found;
}
