/**
 * `schemas/pulumi.schema.json`: what Pulumi's engine, its YAML and its code generators know of the packaged resources.
 *
 * Premise: tokens, names of properties and aliases are in the states of users, so they never change. A default in this schema
 * would be sent as if the program had declared it, so defaults are only described.
 */
import { EXTRA_FIELDS_DESCRIPTION } from "../../src/model/extra-fields.ts";
import { alternatives } from "../../src/model/text/pattern-words.ts";
import { FUNCTIONS, type FunctionName, type LookupFunction } from "../../src/pulumi/properties/functions.ts";
import type { FieldSchema } from "./field-schema.ts";
import type { KindSource } from "./kind-schema.ts";
import { importSection, pulumiExample } from "./pulumi-examples.ts";
import { camelCase, hasSecret, inputsOf, outputsOf } from "./pulumi-file.ts";
import { mapValues, typesOf } from "./schema-tools.ts";
import type { Source } from "./source.ts";

type Spec = Readonly<Record<string, unknown>>;
type Specs = Readonly<Record<string, Spec>>;

const ANY = { $ref: "pulumi.json#/Any" };
const INTEGER_OR_TEXT = { oneOf: [{ type: "integer" }, { type: "string" }] };

const EXTRA: Spec = { type: "object", additionalProperties: ANY, description: EXTRA_FIELDS_DESCRIPTION };

/** The settings of a provider. They are also those of a stack, as `driftline:NAME`. */
export const SETTINGS: Specs = {
  url: { type: "string", description: "Base URL of the service." },
  apiKey: { type: "string", description: "Key of the service.", secret: true },
  profile: {
    type: "string",
    description: "posthog, or document for a service that follows its documentation to the letter.",
  },
  self: {
    type: "string",
    description: "E-mail address of the key's own user, who is never removed or given fewer rights.",
  },
  settleAfter: {
    type: "number",
    description: "Seconds after which an unanswered create can no longer take effect: 60 by default.",
  },
  maxRequestsPerMinute: { type: "number", description: "The most requests that are sent in a minute." },
};

/** What each function does. */
export const DESCRIPTIONS: Readonly<Record<FunctionName, string>> = {
  getOrganization: "Looks up an organization by its name. Two of one name are an error with both ids.",
  getProject: "Looks up a project of an organization by its name. Two of one name are an error with both ids.",
  getDomain: "Looks up a domain of an organization.",
  getMembers: "Lists the members of an organization.",
  getInsight: "Looks up an insight by its name or its id. Two of one name are an error with both ids.",
  getInsights: "Lists the insights of a project: those that have all tags, and a name that begins as given.",
};

/** What package.json says of the package. */
export interface Manifest {
  readonly version: string;
  /** Set where releases are made. Its `url` is that of git. */
  readonly repository?: { readonly url: string };
}

/** The variable of the environment that a setting comes from if a stack does not set it. */
export function variableOf(setting: string): string {
  return `DRIFTLINE_${setting.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`;
}

export function pulumiSchema({ kinds }: Source, manifest: Manifest): Spec {
  const all = Object.values(kinds);
  const lookups = Object.keys(FUNCTIONS).map((name) => lookup(kinds, name as FunctionName));
  const settings = mapValues(SETTINGS, ({ description, ...spec }, name) => ({
    ...spec,
    description: `${String(description)} The variable ${variableOf(name)} sets it, too.`,
  }));
  return {
    name: "driftline",
    version: manifest.version,
    displayName: "driftline",
    description:
      "The package driftline declares an analytics organization: settings, domains, people, batch exports, plugins and insights.",
    keywords: ["analytics", "posthog", "pulumi", "category/infrastructure", "kind/native"],
    license: "Apache-2.0",
    publisher: "driftline",
    ...placesOf(manifest),
    meta: { moduleFormat: "(.*)" },
    config: { variables: settings },
    provider: {
      description: "A service, and the key for it. A program has several of them if it manages several services.",
      type: "object",
      inputProperties: settings,
    },
    types: Object.assign({}, ...all.map((kind) => typesOfKind(kind)), ...lookups.map(({ types }) => types)) as Specs,
    resources: Object.fromEntries(all.map((kind) => [token(kind.title), resource(kind)])),
    functions: Object.fromEntries(lookups.map(({ name, spec }) => [token(name), spec])),
    language: languagesOf(manifest),
  };
}

/** Where people and Pulumi find releases. Pulumi downloads from there, so without a repository there is no place at all. */
function placesOf(manifest: Manifest): Spec {
  const slug = slugOf(manifest);
  if (slug === undefined) return {};
  return {
    homepage: `https://github.com/${slug}`,
    repository: `https://github.com/${slug}`,
    logoUrl: `https://raw.githubusercontent.com/${slug}/v${manifest.version}/docs/logo.svg`,
    pluginDownloadURL: `github://api.github.com/${slug}`,
  };
}

function slugOf({ repository }: Manifest): string | undefined {
  return /github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(repository?.url ?? "")?.[1];
}

/** What the generators of SDKs need to know. Without these names they take those of Pulumi's own organization. */
function languagesOf(manifest: Manifest): Spec {
  const slug = slugOf(manifest);
  const inGo = `${slug === undefined ? "" : "github.com/"}${slug ?? "driftline"}/sdk/go/driftline`;
  return {
    nodejs: { packageName: "driftline-pulumi", respectSchemaVersion: true },
    python: { packageName: "pulumi_driftline", pyproject: { enabled: true }, respectSchemaVersion: true },
    // The module is the folder above.
    go: { importBasePath: inGo, generateResourceContainerTypes: true, respectSchemaVersion: true },
    // The namespace Driftline.Sdk, and the package driftline.sdk.
    csharp: {
      rootNamespace: "Driftline",
      namespaces: { driftline: "Sdk" },
      packageReferences: { Pulumi: "3.*" },
      respectSchemaVersion: true,
    },
    java: {
      basePackage: "driftline",
      packages: { driftline: "sdk" },
      buildFiles: "gradle",
      dependencies: { "com.pulumi:pulumi": "1.0.0" },
    },
  };
}

function token(title: string): string {
  return `driftline:index:${title}`;
}

function resource(kind: KindSource): Spec {
  const place = placeOf(kind);
  const fields = mapNames(inputsOf(kind), (schema, field) => property(kind, field, schema));
  const inputs = { ...place, ...fields, extraFields: EXTRA };
  // A state has the number of what has a name.
  const stored = mapNames(inputsOf(kind), (schema, field) => ({
    ...property(kind, field, schema),
    ...(schema["x-names"] && INTEGER_OR_TEXT),
  }));
  const computed = mapNames(outputsOf(kind), (schema, field) => property(kind, field, schema));
  const required = [
    ...(kind["x-scopes"].length === 1 ? Object.keys(place) : []),
    ...(kind["x-keyed-by"] === undefined ? [] : ["email"]),
    // A field that is required but may be null cannot be required here: languages leave null out.
    ...kind.required.filter((field) => !isNullable(kind.properties[field] ?? {})).map(camelCase),
  ];
  const always = Object.entries(outputsOf(kind)).flatMap(([field, schema]) =>
    isNullable(schema) ? [] : [camelCase(field)],
  );
  return {
    description: `${[kind.description, kind["x-note"] ?? []].flat().join(" ")}\n\n${pulumiExample(kind)}\n\n${importSection(kind)}`,
    properties: { ...inputs, ...stored, ...computed },
    required: [...new Set([...required, ...always])],
    inputProperties: { ...inputs, ...optionsOf(kind) },
    requiredInputs: [...new Set(required)],
    listInputs: listInputsOf(kind),
    aliases: [{ type: `pulumi-nodejs:dynamic/driftline:${kind.title}` }],
  };
}

/** The inputs that name the place of an object, or the person that it is about. A new one means another object. */
function placeOf(kind: KindSource): Specs {
  const scopes = kind["x-scopes"];
  const alternative = scopes.length > 1 ? " Either organizationId or projectId is required." : "";
  return {
    ...(scopes.includes("organization") && {
      organizationId: {
        type: "string",
        description: `Id of the organization.${alternative}`,
        willReplaceOnChanges: true,
      },
    }),
    ...(scopes.includes("project") && {
      projectId: {
        ...INTEGER_OR_TEXT,
        description: `Number of the project.${alternative}`,
        willReplaceOnChanges: true,
      },
    }),
    ...(kind["x-keyed-by"] && {
      email: {
        type: "string",
        description: "The person's address, in upper or lower case.",
        willReplaceOnChanges: true,
      },
    }),
  };
}

const PROJECT: Spec = {
  properties: {
    organizationId: { type: "string", description: "Id of the organization." },
    id: { type: "string", description: "Number of the project, as text." },
    projectId: { type: "integer", description: "Number of the project." },
    name: { type: "string", description: "Name of the project." },
  },
  required: ["organizationId", "id", "projectId", "name"],
};

/** What the arguments of a function mean that are no fields. */
const SELECTORS: Specs = {
  id: { type: "string", description: "Id of the object, instead of its name." },
  tags: { type: "array", items: { type: "string" }, description: "Only objects that have all of these tags." },
  namePrefix: { type: "string", description: "What the name must begin with." },
};

/** A look-up, and the type of its elements if it finds several. */
function lookup(kinds: Source["kinds"], name: FunctionName): { name: string; spec: Spec; types: Specs } {
  const { kind: looked, place, by, all }: LookupFunction = FUNCTIONS[name];
  const kind = kinds[looked];
  const { properties, required } = kind === undefined ? PROJECT : shownOf(kind);
  const known = properties as Specs;
  const inputs = Object.fromEntries([...place, ...by].map((one) => [one, { ...(SELECTORS[one] ?? known[one]) }]));
  const needed = all === undefined && by.length === 1 ? [...place, ...by] : place;
  const element = token(`Get${upper(all ?? "")}${kind?.title ?? ""}`);
  const found = { type: "array", items: { $ref: `#/types/${element}` }, description: "The objects that fit." };
  const one = { properties, required };
  return {
    name,
    spec: {
      description: DESCRIPTIONS[name],
      inputs: { properties: inputs, required: needed },
      outputs: all === undefined ? one : { properties: { ...inputs, [all]: found }, required: [...place, all] },
    },
    types: all === undefined ? {} : { [element]: { type: "object", description: kind?.description, ...one } },
  };
}

/** An object as a look-up shows it. */
function shownOf(kind: KindSource): { readonly properties: Specs; readonly required: readonly string[] } {
  const { properties, required } = resource(kind) as { properties: Specs; required: readonly string[] };
  const { extraFields: _, ...shown } = mapValues(properties, ({ willReplaceOnChanges: _change, ...spec }) => spec);
  const id = { type: "string", description: `Id of the ${kind.title}.` };
  return { properties: { id, ...shown }, required: ["id", ...required] };
}

/** The place whose objects are listed. It is text, so that `pulumi do` has a flag for it. */
function listInputsOf(kind: KindSource): Spec {
  const properties = mapValues(placeOf(kind), ({ description }) => ({ type: "string", description }));
  const { email: _, ...place } = properties;
  return { type: "object", properties: place, required: kind["x-scopes"].length === 1 ? Object.keys(place) : [] };
}

/** Inputs that say how driftline treats an object. */
function optionsOf(kind: KindSource): Specs {
  return {
    adopt: {
      oneOf: [{ type: "boolean" }, { type: "string" }],
      description:
        "`true` adopts the object with the same natural key if it exists, an id exactly that object. It only counts when the resource is created.",
    },
    ...(kind["x-scopes"].includes("service") && {
      confirmDelete: {
        type: "string",
        description: "Name of the organization. It allows Pulumi to delete the organization with everything in it.",
      },
    }),
  };
}

function property(kind: KindSource, field: string, schema: FieldSchema): Spec {
  const { description = "", deprecated, default: standard } = schema;
  const hasNote = (standard ?? null) !== null && schema["x-sent"] !== true;
  const note = hasNote ? [`The service's default is ${JSON.stringify(standard)}.`] : [];
  return {
    ...typeOf(kind, field, schema),
    description: [description, ...note].join(" "),
    ...(hasSecret(kind, schema) && { secret: true }),
    ...(schema["x-immutable"] === true && { willReplaceOnChanges: true }),
    ...(deprecated === true && { deprecationMessage: /Deprecated: ([^.]*)/.exec(description)?.[1] ?? "deprecated" }),
  };
}

function typeOf(kind: KindSource, field: string, schema: FieldSchema): Spec {
  const types = typesOf(schema).filter((type) => type !== "null");
  const [type] = types;
  const ref = { $ref: `#/types/${token(typeName(kind, field))}` };
  if (schema["x-names"] !== undefined) return { oneOf: [...INTEGER_OR_TEXT.oneOf, ref] };
  if (wordsOf(schema).length > 0) return schema["x-open"] === true ? { oneOf: [{ type: "string" }, ref] } : ref;
  if (types.length > 1) return types.every((one) => one === "integer" || one === "string") ? INTEGER_OR_TEXT : ANY;
  if (type === "array")
    return schema.items?.type === undefined ? ANY : { type, items: typeOf(kind, field, schema.items) };
  if (type === "object" && isClosed(schema)) return ref;
  if (type === "object") return { type, additionalProperties: ANY };
  return type === undefined ? ANY : { type };
}

/** The types of the fields of a kind: words, and objects whose keys are all known. */
function typesOfKind(kind: KindSource): Specs {
  return Object.assign({}, ...Object.entries(inputsOf(kind)).map((one) => typesIn(kind, ...one))) as Specs;
}

function typesIn(kind: KindSource, field: string, schema: FieldSchema): Specs {
  const name = token(typeName(kind, field));
  const { description = "", required = [], "x-values": meanings = {} } = schema;
  const words = wordsOf(schema);
  if (words.length > 0) {
    const values = words.map((value) => ({
      ...(/^\w+$/.test(value) ? {} : { name: nameOf(value) }),
      ...(meanings[value] !== undefined && { description: meanings[value] }),
      value,
    }));
    return { [name]: { type: "string", description, enum: values } };
  }
  if (!isClosed(schema)) return {};
  const fields = mapValues(schema.properties ?? {}, (_, key) => memberOf(schema, key));
  const properties = mapNames(fields, (inner, key) => property(kind, `${field}_${key}`, inner));
  const below = Object.entries(fields).map(([key, inner]) => typesIn(kind, `${field}_${key}`, inner));
  const own = { type: "object", description, properties, required: required.map(camelCase) };
  return Object.assign({ [name]: own }, ...below) as Specs;
}

/** A member of an object. The words that decide over other members may not be all that a service knows. */
function memberOf({ properties = {}, allOf = [] }: FieldSchema, key: string): FieldSchema {
  const words = allOf.flatMap((rule) => rule.if?.properties?.[key]?.const ?? []);
  return { ...properties[key], ...(words.length > 0 && { enum: words, "x-open": true }) };
}

/** The words that the value of a field may be. */
function wordsOf({
  "x-names": names = {},
  enum: values = [],
  pattern = "",
  examples = [],
}: FieldSchema): readonly string[] {
  const forms = alternatives(pattern);
  const plain = forms.filter((form) => !form.includes("["));
  const all = [...Object.keys(names), ...values, ...plain, ...(forms.length > 0 ? examples : [])];
  return [...new Set(all.filter((value) => typeof value === "string"))];
}

/** The name of a word in languages that need one: `every 5 minutes` is Every5Minutes. */
function nameOf(word: string): string {
  return word === "" ? "none" : word.replaceAll(/(?:^|\W)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function isClosed({ properties, additionalProperties }: FieldSchema): boolean {
  return properties !== undefined && additionalProperties === false;
}

function isNullable(schema: FieldSchema): boolean {
  return typesOf(schema).includes("null");
}

function typeName({ title }: KindSource, field: string): string {
  return `${title}${upper(camelCase(field))}`;
}

function upper(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function mapNames(
  fields: Readonly<Record<string, FieldSchema>>,
  change: (schema: FieldSchema, field: string) => Spec,
): Specs {
  return Object.fromEntries(Object.entries(mapValues(fields, change)).map(([field, spec]) => [camelCase(field), spec]));
}
