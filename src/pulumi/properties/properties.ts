import { pulumiProperties } from "../../generated/pulumi.ts";
import { kindSchema } from "../../kinds/fields.ts";
import type { Kind } from "../../kinds/kind.ts";
import { text } from "../../kinds/helpers.ts";
import type { Json, JsonObject } from "../../model/json.ts";

/** Properties of a resource as Pulumi transports them: JSON, in which an unknown value is one certain text. */
export type Properties = JsonObject;

/** Output that tells resources of one object apart; Pulumi hides what begins like this. It never changes its name. */
export const MARK = "__mark";

/** A resource of a Pulumi program, in driftline's terms. */
export interface Declared {
  /** The declared fields by the interface's names. */
  readonly values: JsonObject;
  /** Address and ids of what it lives in. */
  readonly scope: string;
  readonly path: Readonly<Record<string, string>>;
  /** What it is called where its key is its name: the e-mail. */
  readonly name: string;
  /** Whether an object that is there already is taken over; its id, where that was said. */
  readonly adopt: boolean | string;
  /** Name of the organization that may be deleted. */
  readonly confirmDelete: string | undefined;
}

/** Inputs that are not fields of the interface: where it lives, and how it is treated. */
export function ownInputs(kind: Kind): readonly string[] {
  return [
    ...(kind.scopes.includes("organization") ? ["organizationId"] : []),
    ...(kind.scopes.includes("project") ? ["projectId"] : []),
    ...(kind.keyedBy === undefined ? [] : ["email"]),
    ...(kind.requiresExplicitCreate === true ? ["confirmDelete"] : []),
    "adopt",
  ];
}

/** Every input of a kind, in Pulumi's names. */
export function inputNames(kind: Kind): readonly string[] {
  return [...Object.keys(pulumiProperties[kind.name].inputs), ...ownInputs(kind)];
}

/** The fields of the interface among the properties. */
export function fieldsOf(kind: Kind, props: Properties): JsonObject {
  const entries = Object.entries(pulumiProperties[kind.name].inputs).flatMap(([name, field]): [string, Json][] => {
    const value = props[name];
    return value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(entries);
}

export function declaredOf(kind: Kind, props: Properties): Declared {
  const organization = text(props["organizationId"]);
  const project = text(props["projectId"]);
  const adopt = props["adopt"];
  return {
    values: fieldsOf(kind, props),
    ...place(organization, project),
    name: text(props["email"])?.trim().toLowerCase() ?? "pulumi",
    adopt: typeof adopt === "number" ? String(adopt) : typeof adopt === "string" ? adopt : adopt === true,
    confirmDelete: text(props["confirmDelete"]),
  };
}

function place(organization: string | undefined, project: string | undefined): Pick<Declared, "scope" | "path"> {
  if (project !== undefined) return { scope: `projects/${project}`, path: { project_id: project } };
  if (organization === undefined) return { scope: "", path: {} };
  const id = organization.toLowerCase();
  return { scope: id, path: { organization_id: id } };
}

/** Fields of the interface in Pulumi's names. */
export function inPulumi(kind: Kind, values: JsonObject): Properties {
  const entries = Object.entries(pulumiProperties[kind.name].inputs).flatMap(([name, field]): [string, Json][] => {
    const value = values[field];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** What a row of the service tells beyond what was declared, as outputs. What the row lacks is left out. */
export function computedOf(kind: Kind, row: JsonObject | undefined): Properties {
  const entries = Object.entries(pulumiProperties[kind.name].outputs).flatMap(([name, field]): [string, Json][] => {
    const value = row?.[field];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** The inputs among the properties, which a state's outputs repeat under the same names. */
export function inputsOf(kind: Kind, props: Properties): Properties {
  const names = new Set(inputNames(kind));
  return Object.fromEntries(Object.entries(props).filter(([name]) => names.has(name)));
}

/** What a state holds beyond inputs: what was computed, and its mark. */
export function outputsOf(kind: Kind, props: Properties): Properties {
  const { outputs } = pulumiProperties[kind.name];
  return Object.fromEntries(Object.entries(props).filter(([name]) => Object.hasOwn(outputs, name) || name === MARK));
}

/** The name in Pulumi of the property that a path of the interface's names begins with. */
export function propertyOf(kind: Kind, field: string): string {
  const found = Object.entries(pulumiProperties[kind.name].inputs).find(([, own]) => own === field);
  return found?.[0] ?? field;
}

/** Words that may stand for the numbers of a field. */
export function wordsOf(kind: Kind, field: string): Readonly<Record<string, number>> {
  return kindSchema(kind.name).properties[field]?.["x-names"] ?? {};
}
