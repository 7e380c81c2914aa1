import { scopesOfKind, isKeyedByEmail, isScope } from "../../kinds/registry.ts";
import { pulumiProperties } from "../../generated/pulumi.ts";
import { kindSchema } from "../../kinds/fields.ts";
import type { Kind } from "../../kinds/kind.ts";
import { asText } from "../../kinds/keys.ts";
import { isUnknownField } from "../../kinds/unknown-fields.ts";
import { EXTRA_PROPERTY } from "../../model/extra-fields.ts";
import { isJsonObject, type Json, type JsonObject, own, valueAt } from "../../model/json/json.ts";
import { filterKeys } from "../../model/json/object.ts";

/** Properties of a resource as Pulumi transports them: JSON, with one fixed text for every unknown value. */
export type Properties = JsonObject;

/**
 * Output that distinguishes resources of one object. Pulumi hides names that begin like this one. States hold this
 * name.
 */
export const MARK = "__mark";

/**
 * Output with the names of the fields that the service of the object cannot change. Only a row shows them, and a diff sees only the
 * state.
 */
const FIXED = "__fixed";

/** Output of a write that did not end well: the object may not have the values of the state. The next write leaves it out. */
export const UNWRITTEN = "__unwritten";

/** Output with JSON Pointers of the declared fields that the service does not have, if there are any. */
export const MISSING = "__missing";

/** A resource of a Pulumi program in driftline's terms. */
export interface DeclaredResource {
  readonly kind: Kind;
  /** The declared fields under the interface's names. */
  readonly values: JsonObject;
  /** Address and ids of the scope. */
  readonly scope: string;
  readonly path: Readonly<Record<string, string>>;
  /** The e-mail, if the kind is identified by one. */
  readonly name: string;
  /** Whether an existing object is adopted, or the id of the object to adopt. */
  readonly adopt: boolean | string;
  /** Name of the organization that may be deleted. */
  readonly confirmDelete: string | undefined;
}

/** Inputs that are not fields of the interface: the scope, and options of driftline. */
export function metaInputs(kind: Kind): readonly string[] {
  return [
    ...(scopesOfKind(kind.name).includes("organization") ? ["organizationId"] : []),
    ...(scopesOfKind(kind.name).includes("project") ? ["projectId"] : []),
    ...(isKeyedByEmail(kind.name) ? ["email"] : []),
    ...(isScope(kind) ? ["confirmDelete"] : []),
    "adopt",
  ];
}

export function inputNames(kind: Kind): readonly string[] {
  return [...Object.keys(pulumiProperties[kind.name].inputs), EXTRA_PROPERTY, ...metaInputs(kind)];
}

/** Returns the fields of the interface among the properties, under the interface's names. */
export function toInterfaceFields(kind: Kind, props: Properties): JsonObject {
  const entries = Object.entries(pulumiProperties[kind.name].inputs).flatMap(([name, field]): [string, Json][] => {
    const value = props[name];
    return value === undefined ? [] : [[field, isNoValue(kind, field, value) ? null : value]];
  });
  const extra = props[EXTRA_PROPERTY] ?? null;
  return { ...(isJsonObject(extra) ? extra : {}), ...Object.fromEntries(entries) };
}

/**
 * Whether a value is an empty text that stands for null: in a field that the service never shows, which has to be declared if its
 * value may be lost. Pulumi YAML and generated SDKs cannot say null, and services refuse an empty text there.
 */
function isNoValue(kind: Kind, field: string, value: Json): boolean {
  const { writeOnly, type } = own(kindSchema(kind.name).properties, field) ?? {};
  const isEmpty = typeof value === "string" && value.trim() === "";
  return isEmpty && writeOnly === true && [type].flat().includes("null");
}

export function parseDeclared(kind: Kind, props: Properties): DeclaredResource {
  const organization = asText(props["organizationId"]);
  const project = asText(props["projectId"]);
  const adopt = props["adopt"];
  return {
    kind,
    values: toInterfaceFields(kind, props),
    ...scopeOf(organization, project),
    name: asText(props["email"])?.trim().toLowerCase() ?? "pulumi",
    adopt: typeof adopt === "number" ? String(adopt) : typeof adopt === "string" ? adopt : adopt === true,
    confirmDelete: asText(props["confirmDelete"]),
  };
}

function scopeOf(
  organization: string | undefined,
  project: string | undefined,
): Pick<DeclaredResource, "scope" | "path"> {
  if (project !== undefined) return { scope: `projects/${project}`, path: { project_id: project } };
  if (organization === undefined) return { scope: "", path: {} };
  const id = organization.toLowerCase();
  return { scope: id, path: { organization_id: id } };
}

/** Returns fields of the interface under their names in Pulumi. */
export function toPulumiProperties<T>(kind: Kind, values: Fields<T>): Fields<T | Fields<T>> {
  const extra = Object.entries(values).filter(([field]) => isUnknownField(kind.name, field));
  const known = renameFields(pulumiProperties[kind.name].inputs, values);
  return extra.length === 0 ? known : { ...known, [EXTRA_PROPERTY]: Object.fromEntries(extra) };
}

type Fields<T> = Readonly<Record<string, T>>;

/** Returns what a row shows besides the inputs: the fields that the service computes, and those that it cannot change. */
export function computedOutputs(kind: Kind, row: JsonObject | undefined): Properties {
  if (row === undefined) return {};
  const { inputs, outputs } = pulumiProperties[kind.name];
  const fixed = Object.values(inputs).filter((field) => kind.writes.isFixed?.(field, row) === true);
  return { ...renameFields(outputs, row), ...(kind.writes.isFixed === undefined ? {} : { [FIXED]: fixed }) };
}

/** Whether the service cannot change a field of the object of a state. Not every state shows that. */
export function isFixedIn({ [FIXED]: fixed }: Properties): (field: string) => boolean {
  return (field) => Array.isArray(fixed) && fixed.includes(field);
}

function renameFields<T>(names: Fields<string>, values: Fields<T>): Fields<T> {
  const entries = Object.entries(names).flatMap(([name, field]): [string, T][] => {
    const value = values[field];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** Returns the inputs among the properties. The outputs of a state repeat them under the same names. */
export function pickInputs(kind: Kind, props: Properties): Properties {
  const names = new Set(inputNames(kind));
  return filterKeys(props, (name) => names.has(name));
}

/** Returns the properties of a state that are not inputs: what a row showed, and its mark. */
export function pickOutputs(kind: Kind, props: Properties): Properties {
  const names = new Set([...Object.keys(pulumiProperties[kind.name].outputs), MARK, FIXED]);
  return filterKeys(props, (name) => names.has(name));
}

/** The name in Pulumi of a field of the interface. */
export function propertyName(kind: Kind, field: string): string {
  const entry = Object.entries(pulumiProperties[kind.name].inputs).find(([, name]) => name === field);
  return entry?.[0] ?? field;
}

type PropertyPath = readonly [string, ...string[]];

/** The path in the properties of a field, or of a value inside of one. */
export function propertyKeys(kind: Kind, [field, ...below]: PropertyPath): PropertyPath {
  if (isUnknownField(kind.name, field)) return [EXTRA_PROPERTY, field, ...below];
  return [propertyName(kind, field), ...below];
}

/** The keys of the interface at a path in Pulumi's notation. */
export function interfaceKeys(kind: Kind, path: string): readonly string[] {
  const steps = [...path.matchAll(/[^.[\]"]+|"((?:[^"\\]|\\.)*)"/gu)].map(([step, quoted]) => quoted ?? step);
  const [property = "", ...below] = steps;
  if (property === EXTRA_PROPERTY) return below;
  return [own(pulumiProperties[kind.name].inputs, property) ?? property, ...below];
}

/** The path in Pulumi's notation: `destination.type`, `tags[0]`, `query["a.b"]`. A number where there is no value counts as an item. */
export function propertyPath(keys: readonly string[], props: Properties = {}): string {
  return keys
    .map((key, index) => {
      const around = valueAt(props, keys.slice(0, index));
      if (Array.isArray(around) || (around === undefined && /^(\d+|\*)$/.test(key))) return `[${key}]`;
      if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `[${JSON.stringify(key)}]`;
      return index === 0 ? key : `.${key}`;
    })
    .join("");
}

/** The words that a program may write for the numbers of a field, e.g. the names of levels. */
export function namedNumbers(kind: Kind, field: string): Readonly<Record<string, number>> {
  return own(kindSchema(kind.name).properties, field)?.["x-names"] ?? {};
}
