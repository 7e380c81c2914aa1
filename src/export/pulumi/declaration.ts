import { pulumiProperties } from "../../generated/pulumi.ts";
import { kindSchema } from "../../kinds/fields.ts";
import { kinds } from "../../kinds/registry.ts";
import { mapSecrets, Secret, type JsonObject, type ValueObject } from "../../model/json.ts";
import { SECRET_PLACEHOLDER } from "../../model/sensitive.ts";
import { check } from "../../pulumi/properties/check.ts";
import { stateId } from "../../pulumi/properties/outs.ts";
import { warn, type ExportSession } from "../session.ts";
import type { ExportedResources } from "../types.ts";

/** What a resource lives in, as the program names it and as it is. */
export interface Place {
  readonly property: string;
  readonly variable: string;
  readonly id: string | number;
}

/** A resource of a program. */
export interface Declaration {
  readonly exported: ExportedResources;
  /** Name of its class. */
  readonly title: string;
  /** Its id in the state. */
  readonly id: string;
  readonly place: Place | undefined;
  /** Its arguments but for the place; secrets are still their expressions. */
  readonly args: ValueObject;
  /** What the provider makes of the arguments: the inputs that stand in the state. */
  readonly inputs: JsonObject;
}

/** An exported resource as a program declares it; undefined, with a warning, where the provider would not take it. */
export function declarationOf(
  exported: ExportedResources,
  place: Place | undefined,
  session: ExportSession,
): Declaration | undefined {
  const { kind: name, live, address } = exported;
  const kind = kinds[name];
  const args = argsOf(exported);
  const given = place === undefined ? args : { [place.property]: place.id, ...args };
  const { inputs, failures } = check(kind, mapSecrets(given, () => SECRET_PLACEHOLDER) as JsonObject);
  if (failures.length > 0) {
    const reasons = failures.map(({ property, reason }) => `${property} ${reason}`).join("; ");
    warn(session, address, "not_declarable", `${name} ${live.id} is left out: ${reasons}`);
    return undefined;
  }
  const { title } = pulumiProperties[name];
  return { exported, title, id: stateId(kind, live.id, exported.name), place, args, inputs };
}

function argsOf({ kind: name, fields, name: key, live }: ExportedResources): ValueObject {
  const kind = kinds[name];
  const own = Object.entries(pulumiProperties[name].inputs).flatMap(([property, field]) => {
    // What is null on the service is left out, but for what every program has to say.
    const isNeeded = kindSchema(name).required.includes(field) && live.values[field] === null;
    const value = fields[field] ?? (isNeeded ? null : undefined);
    return value === undefined ? [] : [[property, value] as const];
  });
  const isFound = kind.keyedBy !== undefined || kind.declaredKeys(fields, key).length > 0;
  return {
    ...(kind.keyedBy === undefined ? {} : { email: key }),
    ...Object.fromEntries(own),
    // A state that is lost, or an engine that cannot import: `up` takes over what is there. Without a name only the id tells it.
    adopt: isFound ? true : live.id,
  };
}

/** The name of the variable that a secret's expression speaks of. */
export function secretName({ expression }: Secret): string {
  return /\{secret:(\w+)\}/.exec(expression)?.[1] ?? expression;
}
