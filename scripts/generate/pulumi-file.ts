import { alternatives } from "../../src/model/text/pattern-words.ts";
import type { FieldSchema, KindSchema } from "./field-schema.ts";
import { layout } from "./layout.ts";
import { mapValues, omit, typesOf } from "./schema-tools.ts";
import { HEADER, type Source } from "./source.ts";

/**
 * Computed fields that no Pulumi state keeps. A field that changes by itself would drift for ever, and a field that depends on
 * the caller would drift for other callers.
 */
const VOLATILE: ReadonlySet<string> = new Set([
  "updated_at",
  "last_updated_at",
  "last_modified_at",
  "last_refresh",
  "cache_target_age",
  "next_allowed_client_refresh",
  "is_cached",
  "is_expired",
  "is_2fa_enabled",
  "has_social_auth",
  "member_count",
  "latest_tag",
  "membership_level",
  "plugins_access_level",
  "effective_restriction_level",
  "effective_privilege_level",
  "timezone",
  "customer_id",
]);

/** Names that Pulumi or the scope of a resource already uses. */
const TAKEN: ReadonlySet<string> = new Set(["id", "email", "organization_id", "organization_name"]);

const SCALARS: ReadonlySet<string> = new Set(["string", "integer", "number", "boolean", "null"]);

/** `src/generated/pulumi.ts`: the properties of each kind's resource, as names and as types. */
export function pulumiFile({ kinds }: Source): string {
  const tables = mapValues(kinds, (kind) => ({
    title: kind.title,
    scope: scopeOf(kind),
    inputs: namesOf(inputsOf(kind)),
    outputs: namesOf(outputsOf(kind)),
    secrets: Object.entries(inputsOf(kind)).flatMap(([field, schema]) =>
      hasSecret(kind, schema) ? [camelCase(field)] : [],
    ),
  }));
  const titles = Object.values(kinds).map(({ title }) => title);
  return `// ${HEADER}
import type { KindName } from "./kind-names.ts";
import type { Other, WithKeys } from "../model/program-types.ts";
import type { QueryNode } from "./query-nodes.ts";
import type {
${["Destination", ...titles]
  .toSorted()
  .map((name) => `  ${name},\n`)
  .join("")}} from "./types.ts";

/** The properties of a resource of one kind: fields of the interface by their names in Pulumi. */
export interface PulumiProperties {
  /** Name of the class, and of the type in Pulumi's state. */
  readonly title: string;
  /** What identifies the scope, or the person. */
  readonly scope: readonly string[];
  /** Fields that can be declared. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Computed fields. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Inputs with secrets, by their names in Pulumi. */
  readonly secrets: readonly string[];
}

export const pulumiProperties: Readonly<Record<KindName, PulumiProperties>> = ${layout(tables)};

${Object.values(kinds)
  .map((kind) => `${interfaces(kind)}\n`)
  .join("\n")}`;
}

function scopeOf(kind: Source["kinds"][string]): readonly string[] {
  const ids = kind["x-scopes"].flatMap((scope) => (scope === "service" ? [] : [`${scope}Id`]));
  return [...ids, ...(kind["x-keyed-by"] === undefined ? [] : ["email"])];
}

/** The one function that names properties: \`saml_x509_cert\` is samlX509Cert, \`_create_in_folder\` is createInFolder. */
export function camelCase(field: string): string {
  return field.replace(/^_/, "").replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

function namesOf(fields: Readonly<Record<string, FieldSchema>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(fields).map((field) => [camelCase(field), field]));
}

/** The fields that a program may declare. */
export function inputsOf(kind: KindSchema): Readonly<Record<string, FieldSchema>> {
  return omit(kind.properties, (key) => {
    const field = kind.properties[key];
    return field?.readOnly === true || field?.["x-undeclarable"] === true;
  });
}

/** The fields that the service computes, and that a state keeps. */
export function outputsOf(kind: KindSchema): Readonly<Record<string, FieldSchema>> {
  return omit(kind.properties, (key) => {
    const field = kind.properties[key] ?? {};
    const types = typesOf(field);
    const isScalar = types.length > 0 && types.every((type) => SCALARS.has(type));
    return field.readOnly !== true || !isScalar || VOLATILE.has(key) || TAKEN.has(key);
  });
}

/** Whether a field contains a secret at any depth. */
export function hasSecret(kind: KindSchema, schema: FieldSchema | undefined): boolean {
  if (schema === undefined) return false;
  if (schema.writeOnly === true && schema.format === "password") return true;
  const { properties = {}, items, allOf = [], then, $ref } = schema;
  const below = [
    ...Object.values(properties),
    items,
    ...allOf,
    then,
    kind.definitions?.[$ref?.split("/").at(-1) ?? ""],
  ];
  return below.some((part) => hasSecret(kind, part));
}

function interfaces(kind: KindSchema): string {
  const inputs = Object.entries(inputsOf(kind)).map(([field, schema]) => {
    const optional = kind.required.includes(field) ? "" : "?";
    return member(kind, field, schema, optional);
  });
  const outputs = Object.entries(outputsOf(kind)).map(([field, schema]) => member(kind, field, schema, ""));
  return `/** What can be declared of it. ${kind.description} */
export interface ${kind.title}Fields {
${inputs.join("\n")}
}

/** What the service shows of it. */
export interface ${kind.title}Computed {
${outputs.join("\n")}
}`;
}

/** Fields whose types say more than those of the service's objects. */
const TYPES: Readonly<Record<string, string>> = { destination: "WithKeys<Destination>", query: "QueryNode" };

function typeOf(kind: KindSchema, field: string, schema: FieldSchema): string {
  const words = alternatives(schema.pattern ?? "").map((word) => `\`${word.replace("[0-9]+", "${number}")}\``);
  const own = TYPES[field] ?? `NonNullable<${kind.title}["${field}"]>`;
  const type = words.length > 0 ? words.join(" | ") : own;
  return schema["x-open"] === true ? `${type} | Other` : type;
}

function member(kind: KindSchema, field: string, schema: FieldSchema, optional: string): string {
  const names = Object.keys(schema["x-names"] ?? {}).map((name) => ` | ${JSON.stringify(name)}`);
  const type = typeOf(kind, field, schema);
  const nullable = typesOf(schema).includes("null") || schema.enum?.includes(null) === true ? " | null" : "";
  return `  /** ${schema.description ?? ""} */\n  readonly ${camelCase(field)}${optional}: ${type}${names.join("")}${nullable};`;
}
