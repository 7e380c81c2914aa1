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

/** The kinds of resources, by their names in machine output and schemas. Parents come before children. */
export const kindNames = ${layout(Object.keys(kinds))} as const;

export type KindName = (typeof kindNames)[number];

/** The types of scopes in which resources are declared. */
export type ScopeType = "service" | "organization" | "project";

/** The key of the configuration under which resources of a kind are declared. */
export const collections: Readonly<Record<KindName, string>> = ${layout(mapValues(kinds, (kind) => kind["x-collection"]))};

/** The types of scopes that may have that key. */
export const kindScopes: Readonly<Record<KindName, readonly ScopeType[]>> = ${layout(mapValues(kinds, (kind) => kind["x-scopes"]))};

/** Set if resources are declared under their natural key instead of under logical names. */
export const keyedBy: Readonly<Partial<Record<KindName, "email">>> = ${layout(Object.fromEntries(keyed))};

/** The kind whose schema has the fields of a resource of the interface. Kinds of one resource have the same fields. */
export const resourceKinds = ${layout(resourceKinds(kinds))} as const satisfies Readonly<Record<string, KindName>>;

export type ResourceName = keyof typeof resourceKinds;

/** The names of numbers, by field. Reports show them beside the number. */
export const valueNames: Readonly<Record<string, Readonly<Record<string, string>>>> = ${layout(valueNames(kinds))};
`;
}

/** @throws Error if two kinds name the numbers of a field differently: reports know only the name of the field */
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
  // The first of several kinds wins, so it is set last. Its place in the order stays the same.
  return Object.fromEntries([...found, ...found.toReversed()]);
}
