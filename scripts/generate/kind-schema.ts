import type { KindSchema } from "./field-schema.ts";

/** The types of scopes, the outermost first. */
export const SCOPES = ["service", "organization", "project"] as const;

/** A file of schemas/kinds: the schema of the kind's fields, and keys that only the generator reads. */
export interface KindSource extends KindSchema {
  /** The place of the kind in every list of kinds. Parents come before children. */
  readonly "x-order": number;
  /** The key of the configuration under which resources of this kind are declared. */
  readonly "x-collection": string;
  /** The example of a resource: its name, and the fields that it declares, each with its own first example. */
  readonly "x-example": { readonly name: string; readonly fields: readonly string[] };
  /** The types of scopes that may have this key. */
  readonly "x-scopes": readonly (typeof SCOPES)[number][];
  /** Set if resources are declared under their natural key instead of under logical names. */
  readonly "x-keyed-by"?: "email";
  /** The interface's name for such an object, if it is not the kind's name. Null if the interface has no such object. */
  readonly "x-resource"?: string | null;
  /** A further sentence for users of the Pulumi class. */
  readonly "x-note"?: string;
}

type Check = (value: unknown, name: string) => boolean;

const isText: Check = (value) => typeof value === "string" && value !== "";
const isList: Check = (value) => Array.isArray(value);

/** The keys that every kind needs: whether a value is valid, and what is expected. */
const KEYS: Readonly<Record<string, readonly [isRight: Check, expected: string]>> = {
  $id: [(value, name) => value === `urn:driftline:kind:${name}`, '"urn:driftline:kind:" and the name of the file'],
  title: [isText, "the name of the class in programs"],
  description: [isText, "a sentence"],
  properties: [(value) => typeof value === "object" && value !== null, "the fields of the interface"],
  required: [isList, "a list of the fields that a create needs"],
  "x-pins": [isList, "a list of the fields by which an object can be pinned"],
  "x-order": [(value) => Number.isInteger(value), "a whole number: kinds stand in this order, parents before children"],
  "x-collection": [isText, "the key of the configuration under which resources are declared"],
  "x-example": [isExample, "an object with the name of a resource, and a list of the fields that it declares"],
  "x-scopes": [isScopes, `a list of ${SCOPES.join(", ")}`],
};

/** The optional keys of a kind, in the same form. */
const OPTIONAL: typeof KEYS = {
  $schema: [isText, "the version of JSON Schema"],
  type: [(value) => value === "object", '"object"'],
  definitions: [(value) => typeof value === "object" && value !== null, "parts of the fields by name"],
  "x-keyed-by": [(value) => value === "email", '"email"'],
  "x-read-only": [isList, "a list of further keys that the service sets alone"],
  "x-note": [isText, "a sentence"],
  "x-since": [isText, "since when services have this kind, such as 2026-06"],
  "x-resource": [(value) => value === null || isText(value, ""), "what the interface calls such an object, or null"],
};

/** The kinds by name, in their order. @throws Error that names the file and the key that is missing or wrong */
export function kindsFrom(files: ReadonlyMap<string, unknown>): Readonly<Record<string, KindSource>> {
  const kinds = [...files].map(([name, value]): [string, KindSource] => [name, kindFrom(name, value)]);
  for (const key of ["x-order", "x-collection", "title"] as const) {
    const seen = new Map<unknown, string>();
    for (const [name, kind] of kinds) {
      const other = seen.get(kind[key]);
      if (other !== undefined)
        throw new Error(`${pathOf(name)}: ${key} ${JSON.stringify(kind[key])} is also that of ${pathOf(other)}`);
      seen.set(kind[key], name);
    }
  }
  return Object.fromEntries(kinds.toSorted(([, a], [, b]) => a["x-order"] - b["x-order"]));
}

/** The path of a kind's schema, from the repository's root. */
export function pathOf(name: string): string {
  return `schemas/kinds/${name}.schema.json`;
}

function kindFrom(name: string, value: unknown): KindSource {
  const given = (typeof value === "object" && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  for (const [key, [, expected]] of Object.entries(KEYS))
    if (!Object.hasOwn(given, key)) throw new Error(`${pathOf(name)}: ${key} is missing: expected ${expected}`);
  for (const [key, item] of Object.entries(given)) {
    const rule = KEYS[key] ?? OPTIONAL[key];
    if (rule === undefined) throw new Error(`${pathOf(name)}: ${key} is not a key of a kind`);
    const [isRight, expected] = rule;
    if (!isRight(item, name))
      throw new Error(`${pathOf(name)}: ${key} is ${JSON.stringify(item)}: expected ${expected}`);
  }
  return value as KindSource;
}

function isScopes(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((scope) => SCOPES.some((known) => known === scope));
}

function isExample(value: unknown): boolean {
  const { name, fields } = (value ?? {}) as { readonly name?: unknown; readonly fields?: unknown };
  return isText(name, "") && isList(fields, "");
}
