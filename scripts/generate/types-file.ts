import { compile, type JSONSchema } from "json-schema-to-typescript";
import { configDefinitions, destinationConfigs } from "./config-parts.ts";
import type { FieldSchema, KindSchema } from "./field-schema.ts";
import { mapSchema, mapValues, omit, ref, type Schemas } from "./schema-tools.ts";
import { HEADER, kindNamed, type Source } from "./source.ts";

/** An extension of JSON Schema that the compiler knows: a type as TypeScript text. */
interface TypedSchema extends FieldSchema {
  readonly tsType?: string;
}

// The compiler knows no readonly properties, so the name carries a mark.
const READONLY = "readonly__";

// The compiler knows no names with a pattern, so the name is a mark.
const EXTENSION = "x-*";

const PRELUDE = `
/** A whole resource, or any part of it if it is pinned or has lifecycle settings. */
export type Declared<T extends { lifecycle?: Lifecycle }> =
  | T
  | (Partial<T> & { lifecycle: Lifecycle })
  | Pinned<T, "id">
  | Pinned<T, "short_id">;

type Pinned<T, K extends string> = K extends keyof T ? Partial<T> & Required<Pick<T, K>> : never;
`;

/** \`src/generated/types.ts\`: the objects of the service and the declared file, as types. */
export async function typesFile(source: Source): Promise<string> {
  const definitions = mapValues(allDefinitions(source), (definition) => mapSchema(definition, forCompiler));
  // The root makes every definition reachable. It is removed again below.
  const root = {
    type: "object",
    properties: Object.fromEntries(Object.keys(definitions).map((name) => [name, ref(name)])),
    additionalProperties: false,
    definitions,
  };
  const text = await compile(root as JSONSchema, "Root", {
    bannerComment: `// ${HEADER}`,
    style: { printWidth: 120, trailingComma: "all", bracketSpacing: true },
  });
  const types = text
    .replace(/^export interface Root \{\n[^}]*\}\n/m, "")
    .replaceAll(READONLY, "readonly ")
    .replaceAll(`"${EXTENSION}"?`, "[extension: `x-${string}`]");
  return `${types.trimEnd()}\n${PRELUDE}${objectTypes(source)}`;
}

function objectTypes({ kinds }: Source): string {
  const members = Object.entries(kinds).map(([name, { title }]) => `  readonly ${name}: ${title};\n`);
  return `
/** What the service shows of an object, by its kind. */
export interface ObjectTypes {
${members.join("")}}
`;
}

function allDefinitions(source: Source): Schemas {
  const objects = Object.values(source.kinds);
  const embedded = objects.map((kind) => kind.definitions ?? {});
  return {
    ...configDefinitions(source, entry),
    ...Object.fromEntries(objects.map((kind) => [kind.title, objectOf(kind)])),
    ...Object.assign({}, ...embedded),
    Destination: destination(source),
  };
}

function entry(definition: string): TypedSchema {
  return { tsType: definition === "ProjectConfig" ? `${definition} | null` : `Declared<${definition}>` };
}

function objectOf(kind: KindSchema): FieldSchema {
  const fields = Object.entries(kind.properties).map(([key, field]) => [field.readOnly ? READONLY + key : key, field]);
  return {
    ...omit(kind, (key) => key.startsWith("$") || key === "definitions"),
    properties: Object.fromEntries(fields),
  };
}

/** The known types with their settings, and any other type. */
function destination(source: Source): FieldSchema {
  const { integration = {} } = kindNamed(source, "batch_export").properties["destination"]?.properties ?? {};
  const variant = (type: FieldSchema, config: FieldSchema): FieldSchema => ({
    type: "object",
    properties: { type, config, integration },
    required: ["type", "config"],
    additionalProperties: false,
  });
  const known = Object.keys(destinationConfigs(source)).map((type) => variant({ const: type }, ref(type)));
  return {
    title: "Destination",
    description: "Where a batch export writes to.",
    anyOf: [...known, variant({ type: "string" }, { type: "object" })],
  };
}

function forCompiler(part: TypedSchema): TypedSchema {
  if (part.properties?.["config"] && part.allOf) return { tsType: "Destination", ...about(part) };
  if (part.patternProperties !== undefined) {
    const { patternProperties, ...named } = part;
    const [extension] = Object.values(patternProperties);
    const typed: TypedSchema = { ...extension, tsType: "unknown" };
    return { ...named, properties: { ...part.properties, [EXTENSION]: typed } };
  }
  const { type, ...rest } = { ...part, ...about(part) };
  if (part.enum || part.const !== undefined || type === undefined) return rest;
  // A schema without this key allows further members, which the types of service objects do not need.
  const closed = part.properties && part.additionalProperties === undefined;
  return { ...rest, type, ...(closed && { additionalProperties: false }) };
}

function about({ description, default: preset }: FieldSchema): FieldSchema {
  if (description === undefined || preset === undefined) return description === undefined ? {} : { description };
  return { description: `${description}\nDefault: ${JSON.stringify(preset)}.` };
}
