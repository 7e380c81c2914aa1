import { readFile } from "node:fs/promises";
import type { FieldSchema } from "./field-schema.ts";
import { fileSchema } from "./file-schema.ts";
import { layout } from "./layout.ts";
import { mapSchema, mapValues, omit } from "./schema-tools.ts";
import { HEADER, ROOT, type Source } from "./source.ts";

/** Keys that are in src/generated/kind-names.ts, or that only the generator needs. */
const NOT_EMBEDDED: ReadonlySet<string> = new Set([
  "x-order",
  "x-collection",
  "x-example",
  "x-scopes",
  "x-keyed-by",
  "x-resource",
  "x-note",
]);

/** `src/generated/schemas.ts`: the schemas as data, so no file is read or parsed at run time. */
export async function schemasFile(source: Source): Promise<string> {
  const { kinds, lifecycle } = source;
  const types = await readFile(new URL("scripts/generate/field-schema.ts", ROOT), "utf8");
  return `// ${HEADER}
import type { KindName } from "./kind-names.ts";
${types.replaceAll("../../src/model/", "../model/")}
/** The schema of each kind. */
export const schemas: Readonly<Record<KindName, KindSchema>> = ${layout(mapValues(kinds, (kind) => embedded(kind, NOT_EMBEDDED)))};

/** The schema of \`lifecycle\`, the same for all kinds. */
export const lifecycleSchema: FieldSchema & Required<Pick<FieldSchema, "properties">> = ${layout(embedded(lifecycle))};

const field = (kind: KindName, name: string): FieldSchema => schemas[kind].properties[name] ?? {};

/** The schema of a file, with what a message about it needs. */
export const fileSchema: FieldSchema = ${fileText(source)};
`;
}

function embedded<T extends object>(schema: T, left: ReadonlySet<string> = new Set()): T {
  return omit(schema, (key) => key === "$schema" || left.has(key));
}

/** The schema of a file as an expression. A field that is as in the schema of its kind is not written again. */
function fileText(source: Source): string {
  const places = Object.entries(source.kinds).flatMap(([kind, { properties }]) =>
    Object.entries(properties).map(([name, field]): [string, string] => [
      JSON.stringify(messageForm(field)),
      `@${kind}.${name}`,
    ]),
  );
  const placeOf = new Map(places);
  const { definitions = {}, ...file } = messageForm(fileSchema(source));
  const placed = mapValues(definitions, (definition) => {
    const { properties = {}, ...rest } = messageForm(definition);
    return { ...rest, properties: mapValues(properties, (field) => placeOf.get(JSON.stringify(field)) ?? field) };
  });
  return layout({ ...file, definitions: placed }).replaceAll(/"@(\w+)\.(\w+)"/g, 'field("$1", "$2")');
}

/** A schema without what is for editors, or for people who read about its kind. */
function messageForm(schema: FieldSchema): FieldSchema {
  const isUnneeded = (key: string): boolean => ["title", "description", "deprecated", "x-values"].includes(key);
  return mapSchema(schema, (part) => omit(part, isUnneeded));
}
