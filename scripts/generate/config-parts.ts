import { EXTRA_FIELDS, EXTRA_FIELDS_DESCRIPTION } from "../../src/model/extra-fields.ts";
import { NAME_PATTERN } from "../../src/model/name.ts";
import { PROJECT_DESCRIPTION, PROJECT_KEYS } from "../../src/model/project.ts";
import type { FieldSchema } from "./field-schema.ts";
import type { KindSource } from "./kind-schema.ts";
import { declarable, mapSchema, mapValues, omit, ref, type Schemas } from "./schema-tools.ts";
import { kindNamed, type Source } from "./source.ts";

/** How the entries of a resource map are written. The editor's schema and the TypeScript types differ in this. */
export type Entry = (definition: string) => FieldSchema;

/** All definitions of a configuration file, by name. */
export function configDefinitions(source: Source, entry: Entry): Schemas {
  const inputs = Object.values(source.kinds).map(inputOf);
  return {
    Config: config(entry),
    Service: SERVICE,
    OrganizationConfig: organization(source, entry),
    ProjectConfig: project(source, entry),
    ...Object.fromEntries(inputs.map((input) => [input.title ?? "", input])),
    ...destinationConfigs(source),
    Lifecycle: omit(source.lifecycle, (key) => key.startsWith("$")),
  };
}

/** The settings of a batch export's destination, by type. */
export function destinationConfigs(source: Source): Schemas {
  const { BatchExportRun: _, ...definitions } = kindNamed(source, "batch_export").definitions ?? {};
  return definitions;
}

function config(entry: Entry): FieldSchema {
  return {
    title: "Config",
    description: "What a driftline configuration file declares. Several files are merged.",
    type: "object",
    properties: {
      driftline: { const: 1, description: "Version of this format." },
      variables: {
        description: "Values for ${var:NAME}. --vars and --var on the command line take precedence.",
        ...map({}),
        examples: [{ region: "eu-central-1" }],
      },
      service: ref("Service"),
      undeclared: {
        const: "report",
        description:
          "Live values that an export would write and this file does not are drift of the resources that it declares. `drift --accept` writes them.",
      },
      organizations: { description: "Organizations by a name of your choice.", ...named(entry("OrganizationConfig")) },
    },
    patternProperties: { "^x-": { description: "Anything: driftline ignores it. Use it for YAML anchors." } },
    required: ["driftline"],
    additionalProperties: false,
  };
}

const SERVICE: FieldSchema = {
  title: "Service",
  description: "The service that holds the organizations.",
  type: "object",
  properties: {
    url: {
      type: "string",
      description: "Its base URL. --url and DRIFTLINE_URL take precedence.",
      examples: ["https://eu.posthog.com"],
    },
    self: {
      type: "string",
      format: "email",
      description: "E-mail address of the API key's own user, who is never removed or given fewer rights.",
      examples: ["robot@acme.com"],
    },
  },
  additionalProperties: false,
};

function organization(source: Source, entry: Entry): FieldSchema {
  const input = inputOf(kindNamed(source, "organization"));
  const held = heldBy("organization", source);
  return {
    ...input,
    title: "OrganizationConfig",
    description: "An organization and everything in it. With only an id, it is not managed itself.",
    properties: {
      ...input.properties,
      exclusive: exclusive(held),
      ...collections(held, entry),
      projects: { description: "Projects by a name of your choice, or by their id.", ...named(entry("ProjectConfig")) },
    },
  };
}

function project(source: Source, entry: Entry): FieldSchema {
  const held = heldBy("project", source);
  return {
    title: "ProjectConfig",
    description: PROJECT_DESCRIPTION,
    type: "object",
    properties: {
      id: { type: ["string", "integer"], pattern: "\\S", description: PROJECT_KEYS.id, examples: ["2"] },
      name: { type: "string", pattern: "\\S", description: PROJECT_KEYS.name, examples: ["Web"] },
      exclusive: exclusive(held),
      ...collections(held, entry),
    },
    additionalProperties: false,
  };
}

/** The kinds that are declared in an organization, or in a project. */
function heldBy(scope: "organization" | "project", { kinds }: Source): readonly KindSource[] {
  return Object.values(kinds).filter((kind) => kind["x-scopes"].includes(scope));
}

function inputOf(kind: KindSource): FieldSchema {
  return {
    title: `${kind.title}Input`,
    description: kind.description,
    type: "object",
    properties: {
      ...mapValues(declarable(kind), (field) => mapSchema(withNames(field), withReferences)),
      [EXTRA_FIELDS]: EXTRA,
      lifecycle: ref("Lifecycle"),
    },
    required: kind.required,
    additionalProperties: false,
  };
}

const EXTRA: FieldSchema = {
  description: EXTRA_FIELDS_DESCRIPTION,
  type: ["object", "null"],
  additionalProperties: true,
  examples: [{ new_setting: true }],
};

/** A number that has a name may be declared by the name. */
function withNames(field: FieldSchema): FieldSchema {
  const names = Object.keys(field["x-names"] ?? {});
  if (names.length === 0) return field;
  return { ...field, type: ["string", "integer"], enum: [...names, ...(field.enum ?? [])], examples: names };
}

/** An id may be given by the key or the name of an object. */
function withReferences(field: FieldSchema): FieldSchema {
  if (field["x-reference"] === undefined) return field;
  const types = field.type === "integer" ? (["string", "integer"] as const) : "string";
  return { ...omit(field, (key) => key === "format"), type: types, pattern: "\\S" };
}

function exclusive(kinds: readonly KindSource[]): FieldSchema {
  return {
    description: "Collections in which only declared objects may exist. Others are deleted, with --prune.",
    type: "array",
    items: {
      type: "string",
      enum: kinds.map((kind) => kind["x-collection"]),
      "x-values": Object.fromEntries(kinds.map((kind) => [kind["x-collection"], kind.description])),
    },
    uniqueItems: true,
  };
}

function collections(kinds: readonly KindSource[], entry: Entry): Schemas {
  const maps = kinds.map(
    ({ title, description, "x-collection": collection, "x-keyed-by": format }): [string, FieldSchema] => [
      collection,
      { description, ...named(entry(`${title}Input`), format) },
    ],
  );
  return Object.fromEntries(maps);
}

function map(values: FieldSchema): FieldSchema {
  return { type: ["object", "null"], additionalProperties: values };
}

/** A mapping of what has addresses, and so keys that can be a part of one. */
function named(values: FieldSchema, format?: string): FieldSchema {
  return { ...map(values), propertyNames: { pattern: NAME_PATTERN, ...(format !== undefined && { format }) } };
}
