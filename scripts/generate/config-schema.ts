import { configDefinitions } from "./config-parts.ts";
import type { FieldSchema } from "./field-schema.ts";
import { mapSchema, mapValues, omit, ref, typesOf, withoutSources, type Schemas } from "./schema-tools.ts";
import type { Source } from "./source.ts";

const PINS = ["id", "short_id"];
const SUBSTITUTION = "\\$\\{";

/**
 * The schema for editors, in one file so that one URL is enough. It is more lenient than validation, which runs after
 * substitution and knows when a field is required.
 */
export function configSchema(source: Source, version: string): object {
  const optional = optionalEntries(source);
  const definitions = configDefinitions(source, (name) =>
    optional.has(name) ? { anyOf: [ref(name), { type: "null" }] } : ref(name),
  );
  const { Config, ...rest } = mapValues(definitions, (definition) =>
    titled(whereDue(whereReadable(emptiedOrNull(mapSchema(withIntegration(definition), forEditors), definitions)))),
  );
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    // npm's registry and its mirrors serve the files of every release under such an address.
    $id: `https://unpkg.com/driftline@${version}/schemas/config.schema.json`,
    ...Config,
    definitions: {
      ...rest,
      Substitution: {
        description: "A value that is filled in: ${var:NAME}, ${env:NAME}, ${file:PATH} or ${secret:NAME}.",
        type: "string",
        pattern: SUBSTITUTION,
      },
    },
  };
}

/** The definitions without a required field: their entries may be empty. */
function optionalEntries({ kinds }: Source): ReadonlySet<string> {
  const free = Object.values(kinds).filter(({ required }) => required.length === 0);
  return new Set(["ProjectConfig", ...free.map(({ title }) => `${title}Input`)]);
}

/** Says in an editor's keywords what a part is, and allows `${...}` wherever a value is not just any text. */
function forEditors(schema: FieldSchema): FieldSchema {
  const part = explained(
    omit(schema, (key) => key.startsWith("x-") || (key === "format" && schema.format === "password")),
    schema,
  );
  if (!isNarrow(part)) return part;
  const { description, default: preset, examples, deprecated, deprecationMessage, writeOnly, ...core } = part;
  return {
    ...(description !== undefined && { description }),
    ...(deprecationMessage !== undefined && { deprecationMessage }),
    anyOf: [core, ref("Substitution")],
    ...(preset !== undefined && { default: preset }),
    ...(examples !== undefined && { examples }),
    ...(deprecated !== undefined && { deprecated }),
    ...(writeOnly !== undefined && { writeOnly }),
  };
}

const DEPRECATION = /Deprecated: [^.]+\./;

function explained(part: FieldSchema, { description, enum: values, ...schema }: FieldSchema): FieldSchema {
  const plain = description === undefined ? undefined : withoutSources(description);
  const names = Object.entries(schema["x-names"] ?? {}).map(([name, number]) => [number, `The same as ${name}.`]);
  const meanings: Readonly<Record<string, string>> = { ...schema["x-values"], ...Object.fromEntries(names) };
  return {
    ...part,
    ...(plain !== undefined && { description: plain }),
    ...(schema.deprecated === true && {
      deprecationMessage: DEPRECATION.exec(plain ?? "")?.[0] ?? "It is deprecated.",
    }),
    ...(values !== undefined &&
      Object.keys(meanings).length > 0 && {
        enumDescriptions: values.map(
          (value) => meanings[typeof value === "string" ? value : JSON.stringify(value)] ?? "",
        ),
      }),
  };
}

/** Editors show the title above the description: the name of a class becomes words. */
function titled(definition: FieldSchema): FieldSchema {
  const { title } = definition;
  if (title === undefined || title === "Config") return definition;
  const [first = "", ...others] = title.replace(/(?<=.)(?:Config|Input)$/, "").split(/(?<=[a-z])(?=[A-Z])/);
  return { ...definition, title: [first, ...others.map((word) => word.toLowerCase())].join(" ") };
}

function isNarrow(schema: FieldSchema): boolean {
  const types = typesOf(schema).filter((type) => type !== "null");
  if (types.length === 0) return false;
  // A value with named parts cannot be an expression itself. Only its parts can.
  if (types.includes("object") && (schema.properties || schema.additionalProperties !== undefined)) return false;
  const { enum: values, pattern, format, minLength, maxLength } = schema;
  const limits = [values, pattern, format, maxLength ?? minLength];
  return !types.includes("string") || limits.some((limit) => limit !== undefined);
}

const EMPTIED = new Set(["lifecycle", "service"]);

/** In YAML, a key without members is null. It declares nothing. */
function emptiedOrNull(definition: FieldSchema, definitions: Schemas): FieldSchema {
  const properties = mapValues(definition.properties ?? {}, (field, key) => {
    if (!EMPTIED.has(key) || field.$ref === undefined) return field;
    const { description = "" } = definitions[field.$ref.replace("#/definitions/", "")] ?? {};
    return { description, anyOf: [field, { type: "null" as const }] };
  });
  return definition.properties === undefined ? definition : { ...definition, properties };
}

/** A destination with an integration needs no credentials of its own. Validation knows whether it has one. */
function withIntegration(definition: FieldSchema): FieldSchema {
  const { required, properties = {} } = definition;
  if (required === undefined) return definition;
  return { ...definition, required: required.filter((key) => properties[key]?.["x-credential"] !== true) };
}

/** Write-only fields are missing from every export, so an export must be valid without them. */
function whereReadable(definition: FieldSchema): FieldSchema {
  const { required, properties = {} } = definition;
  if (required === undefined) return definition;
  return { ...definition, required: required.filter((key) => properties[key]?.writeOnly !== true) };
}

/**
 * Required fields must be declared unless the object is pinned, or only its lifecycle is declared, or what is in it: another file may
 * say which object it is.
 */
function whereDue(definition: FieldSchema): FieldSchema {
  const { required = [], ...rest } = definition;
  const { properties = {} } = rest;
  if (required.length === 0 || properties["lifecycle"] === undefined) return definition;
  const contents = Object.keys(properties).filter((key) => isMap(properties[key]));
  const enough = ["lifecycle", ...PINS.filter((pin) => pin in properties), ...contents];
  // "If any of these keys is there", without an anyOf: editors would show the title of each of its alternatives.
  return { ...rest, if: { not: { propertyNames: { not: { enum: enough } } } }, else: { required } };
}

/** Whether a property holds resources by name. */
function isMap(property: FieldSchema | undefined): boolean {
  return typeof property?.additionalProperties === "object" && property.properties === undefined;
}
