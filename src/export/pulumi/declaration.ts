import { pulumiProperties } from "../../generated/pulumi.ts";
import { kindSchema } from "../../kinds/fields.ts";
import type { Kind } from "../../kinds/kind.ts";
import { kinds } from "../../kinds/registry.ts";
import { isValueObject, type JsonObject, mapSecrets, type Value, type ValueObject, own } from "../../model/json.ts";
import { SECRET_PLACEHOLDER } from "../../model/secret-values.ts";
import { EXTRA_FIELDS, EXTRA_PROPERTY } from "../../model/extra-fields.ts";
import { check } from "../../pulumi/properties/check.ts";
import { stateId } from "../../pulumi/properties/outputs.ts";
import type { ExportSession } from "../session.ts";
import type { ExportedResource } from "../types.ts";

/** The parent of a resource: the property and variable that name it in the program, and its id. */
export interface ParentReference {
  readonly property: string;
  readonly variable: string;
  readonly id: string | number;
}

/** What manages the resources of a program: Pulumi's process of dynamic providers, or driftline's own provider. */
export type ProgramProvider = "dynamic" | "packaged";

/** A resource of a program. */
export interface Declaration {
  readonly exported: ExportedResource;
  /** The name of its class. */
  readonly title: string;
  /** Its id in the Pulumi state. */
  readonly id: string;
  readonly parent: ParentReference | undefined;
  /** The variable that holds it, if others refer to it. */
  readonly variable?: string;
  /** Its arguments without the parent. Secrets are still expressions. */
  readonly args: ValueObject;
  /** The inputs in the Pulumi state, as the provider derives them from the arguments. */
  readonly inputs: JsonObject;
}

/** An exported resource as a program declares it. If the provider would reject it, returns undefined and adds a warning. */
export function toDeclaration(
  exported: ExportedResource,
  parent: ParentReference | undefined,
  session: ExportSession,
  provider: ProgramProvider,
): Declaration | undefined {
  const { kind: name, live, address } = exported;
  const kind = kinds[name];
  const all = programArguments(exported);
  // The packaged provider imports what this writes, and people read the programs that Pulumi makes of it.
  const args = provider === "packaged" ? withoutDefaults(kind, all) : all;
  const withParent = parent === undefined ? args : { [parent.property]: parent.id, ...args };
  const { inputs, failures } = check(kind, mapSecrets(withParent, () => SECRET_PLACEHOLDER) as JsonObject);
  if (failures.length > 0) {
    const reasons = failures.map(({ property, reason, path }) => `${path ?? property} ${reason}`).join("; ");
    session.warn(address, "not_declarable", `${name} ${live.id} is left out: ${reasons}`);
    return undefined;
  }
  const { title } = pulumiProperties[name];
  return { exported, title, id: stateId(kind, live.id, exported.name), parent, args, inputs };
}

/** Inputs as an import has them: the object is known, so nothing has to find it. */
export function withoutAdopt(inputs: JsonObject): JsonObject {
  const { adopt: _, ...rest } = inputs;
  return rest;
}

/** Without the values that the service has if nothing is declared. */
function withoutDefaults({ name }: Kind, args: ValueObject): ValueObject {
  const { required, properties } = kindSchema(name);
  const isDefault = ([property, value]: readonly [string, Value]): boolean => {
    const field = own(pulumiProperties[name].inputs, property);
    if (field === undefined || required.includes(field)) return false;
    if (isValueObject(value) && Object.keys(value).length === 0) return true;
    return JSON.stringify(value) === JSON.stringify(own(properties, field)?.default ?? null);
  };
  return Object.fromEntries(Object.entries(args).filter((entry) => !isDefault(entry)));
}

function programArguments({ kind: name, fields, name: key, live }: ExportedResource): ValueObject {
  const kind = kinds[name];
  const mine = Object.entries(pulumiProperties[name].inputs).flatMap(([property, field]) => {
    // A field that is null on the service is left out, unless it is required.
    const isRequiredNull = kindSchema(name).required.includes(field) && live.values[field] === null;
    const value = fields[field] ?? (isRequiredNull ? null : undefined);
    return value === undefined ? [] : [[property, value] as const];
  });
  const hasNaturalKey = kind.keyedBy !== undefined || kind.identity.declaredKeys(fields, key).length > 0;
  return {
    ...(kind.keyedBy === undefined ? {} : { email: key }),
    ...Object.fromEntries(mine),
    ...(fields[EXTRA_FIELDS] === undefined ? {} : { [EXTRA_PROPERTY]: fields[EXTRA_FIELDS] }),
    // Lets `up` adopt the live object if the state is lost or the engine cannot import. Without a natural key it needs the id.
    adopt: hasNaturalKey ? true : live.id,
  };
}
