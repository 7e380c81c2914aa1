import { childSchema, isSecretField, kindSchema, type FieldSchema } from "../../kinds/fields.ts";
import type { KindName } from "../../model/kind-name.ts";
import { isValueObject, type Value } from "../../model/json.ts";
import type { Resource } from "../../model/resource.ts";
import { isMasked, isSecretName } from "../../model/sensitive.ts";

interface LiteralSearch {
  readonly texts: Set<string>;
  /** Whether a key is named like a secret: there are few keys, in many resources. */
  readonly named: Map<string, boolean>;
}

/** The texts that stand where a secret belongs, by schema or by name: somebody wrote one down, or read it from a file. */
export function literalSecrets(resources: readonly Resource[]): ReadonlySet<string> {
  const search: LiteralSearch = { texts: new Set(), named: new Map() };
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
  } else if (hidden && (typeof value === "string" || typeof value === "number") && !isMasked(value)) {
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
