import { configDefinitions } from "./config-parts.ts";
import type { FieldSchema } from "./field-schema.ts";
import { mapSchema, mapValues, omit, ref, typesOf } from "./schema-tools.ts";
import type { Source } from "./source.ts";

const PINS = ["id", "short_id"];
const SUBSTITUTION = "\\$\\{";

/**
 * The schema for editors, in one file so that one URL is enough. It is more lenient than validation, which runs after
 * substitution and knows when a field is required.
 */
export function configSchema(source: Source): object {
  const optional = optionalEntries(source);
  const definitions = configDefinitions(source, (name) =>
    optional.has(name) ? { anyOf: [ref(name), { type: "null" }] } : ref(name),
  );
  const { Config, ...rest } = mapValues(definitions, (definition) =>
    whereDue(whereReadable(emptiedOrNull(mapSchema(definition, forEditors)))),
  );
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "urn:driftline:config",
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

/** Allows `${...}` wherever a value is not just any text. */
function forEditors(schema: FieldSchema): FieldSchema {
  const part = omit(schema, (key) => key.startsWith("x-") || (key === "format" && schema.format === "password"));
  if (!isNarrow(part)) return part;
  const { description, default: preset, examples, deprecated, writeOnly, ...core } = part;
  return {
    ...(description !== undefined && { description }),
    anyOf: [core, ref("Substitution")],
    ...(preset !== undefined && { default: preset }),
    ...(examples !== undefined && { examples }),
    ...(deprecated !== undefined && { deprecated }),
    ...(writeOnly !== undefined && { writeOnly }),
  };
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
function emptiedOrNull(definition: FieldSchema): FieldSchema {
  const properties = mapValues(definition.properties ?? {}, (field, key) =>
    EMPTIED.has(key) && field.$ref !== undefined ? { anyOf: [field, { type: "null" as const }] } : field,
  );
  return definition.properties === undefined ? definition : { ...definition, properties };
}

/** Write-only fields are missing from every export, so an export must be valid without them. */
function whereReadable(definition: FieldSchema): FieldSchema {
  const { required, properties = {} } = definition;
  if (required === undefined) return definition;
  return { ...definition, required: required.filter((key) => properties[key]?.writeOnly !== true) };
}

/** Required fields must be declared unless the object is pinned or only its lifecycle is declared. */
function whereDue(definition: FieldSchema): FieldSchema {
  const { required = [], ...rest } = definition;
  const { properties = {} } = rest;
  if (required.length === 0 || properties["lifecycle"] === undefined) return definition;
  const enough = ["lifecycle", ...PINS.filter((pin) => pin in properties)];
  return { ...rest, anyOf: [{ required }, ...enough.map((key) => ({ required: [key] }))] };
}
