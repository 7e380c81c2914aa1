import type { FieldSchema } from "./field-schema.ts";
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

/** Words that a configuration may use in place of values, by the JSON Pointer of the field. */
export const valueNames: Readonly<
  Partial<Record<KindName, Readonly<Record<string, Readonly<Record<string, number>>>>>>
> = ${layout(valueNames(kinds))};

/** JSON Pointers of the fields that hold lists without an order. */
export const setFields: Readonly<Partial<Record<KindName, readonly string[]>>> = ${layout(setFields(kinds))};

/** The kind whose schema has the fields of a resource of the interface. Kinds that are one resource there share theirs. */
export const resourceKinds = ${layout(resourceKinds(kinds))} as const satisfies Readonly<Record<string, KindName>>;

export type ResourceName = keyof typeof resourceKinds;
`;
}

function valueNames(kinds: Source["kinds"]): Readonly<Record<string, object>> {
  const named = Object.entries(kinds).map(([kind, { properties }]) => {
    const fields = Object.entries(properties).flatMap(([field, { "x-names": names }]) =>
      names === undefined ? [] : [[`/${field}`, names] as const],
    );
    return [kind, Object.fromEntries(fields)] as const;
  });
  return Object.fromEntries(named.filter(([, fields]) => Object.keys(fields).length > 0));
}

function setFields(kinds: Source["kinds"]): Readonly<Record<string, readonly string[]>> {
  const found = Object.entries(kinds).map(([kind, schema]) => {
    const pathsIn = (part: FieldSchema, path: string): readonly string[] => {
      const { $ref, properties = {}, allOf = [], then } = part;
      const target = schema.definitions?.[$ref?.split("/").at(-1) ?? ""];
      return [
        ...(part["x-unordered"] === true ? [path] : []),
        ...Object.entries(properties).flatMap(([key, child]) => pathsIn(child, `${path}/${key}`)),
        ...[...allOf, then, target].flatMap((option) => (option === undefined ? [] : pathsIn(option, path))),
      ];
    };
    return [kind, [...new Set(pathsIn(schema, ""))]] as const;
  });
  return Object.fromEntries(found.filter(([, paths]) => paths.length > 0));
}

function resourceKinds(kinds: Source["kinds"]): Readonly<Record<string, string>> {
  const found = Object.entries(kinds).flatMap(([name, { "x-resource": resource = name }]) =>
    resource === null ? [] : [[resource, name] as const],
  );
  // Of several kinds the first one counts, so it is set last. It also keeps its place in the order.
  return Object.fromEntries([...found, ...found.toReversed()]);
}
