import { pathOf } from "./kind-schema.ts";
import { layout } from "./layout.ts";
import { mapValues } from "./schema-tools.ts";
import { HEADER, type Source } from "./source.ts";

/** `src/generated/kind-names.ts`: the list of kinds, and where each is declared. */
export function kindNamesFile({ kinds }: Source): string {
  const keyed = Object.entries(kinds).flatMap(([name, { "x-keyed-by": key }]) =>
    key === undefined ? [] : [[name, key] as const],
  );
  return `// ${HEADER}

/** The kinds of resources, by the word used in machine output and schemas. Parents stand before children. */
export const kindNames = ${layout(Object.keys(kinds))} as const;

export type KindName = (typeof kindNames)[number];

/** What resources are declared in. */
export type ScopeType = "service" | "organization" | "project";

/** The key of the configuration under which resources of a kind are declared. */
export const collections: Readonly<Record<KindName, string>> = ${layout(mapValues(kinds, (kind) => kind["x-collection"]))};

/** What may hold that key. */
export const kindScopes: Readonly<Record<KindName, readonly ScopeType[]>> = ${layout(mapValues(kinds, (kind) => kind["x-scopes"]))};

/** Set where that key holds resources by their natural key rather than by logical names. */
export const keyedBy: Readonly<Partial<Record<KindName, "email">>> = ${layout(Object.fromEntries(keyed))};

/** The kind whose schema has the fields of a resource of the interface. Kinds that are one resource there share theirs. */
export const resourceKinds = ${layout(resourceKinds(kinds))} as const satisfies Readonly<Record<string, KindName>>;

export type ResourceName = keyof typeof resourceKinds;

/** Words for numbers, by field: how reports show a level. */
export const valueNames: Readonly<Record<string, Readonly<Record<string, string>>>> = ${layout(valueNames(kinds))};
`;
}

/** @throws Error if two kinds have different words for one field, as reports know fields by name only */
function valueNames(kinds: Source["kinds"]): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const found: Record<string, Readonly<Record<string, string>>> = {};
  for (const [name, { properties }] of Object.entries(kinds)) {
    for (const [field, { "x-names": numbers = {} }] of Object.entries(properties)) {
      const words = Object.fromEntries(Object.entries(numbers).map(([word, number]) => [String(number), word]));
      if (Object.keys(words).length === 0) continue;
      if (found[field] !== undefined && layout(found[field]) !== layout(words))
        throw new Error(`${pathOf(name)}: x-names of ${field} differ from those of another kind`);
      found[field] = words;
    }
  }
  return found;
}

function resourceKinds(kinds: Source["kinds"]): Readonly<Record<string, string>> {
  const found = Object.entries(kinds).flatMap(([name, { "x-resource": resource = name }]) =>
    resource === null ? [] : [[resource, name] as const],
  );
  // Of several kinds the first one counts, so it is set last. It also keeps its place in the order.
  return Object.fromEntries([...found, ...found.toReversed()]);
}
