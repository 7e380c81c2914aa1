import { pulumiProperties } from "../../generated/pulumi.ts";
import { kindSchema } from "../../kinds/fields.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isKeyedByEmail, kinds } from "../../kinds/registry.ts";
import {
  isValueObject,
  type JsonObject,
  mapSecrets,
  type Value,
  type ValueObject,
  own,
} from "../../model/json/json.ts";
import { UNKNOWN_SECRET } from "../../model/secret-values.ts";
import { EXTRA_FIELDS, EXTRA_PROPERTY } from "../../model/extra-fields.ts";
import { check } from "../../pulumi/properties/check.ts";
import { stateId } from "../../pulumi/properties/outputs.ts";
import { CONFIGURATION_SECRETS, type ExportSession } from "../session.ts";
import type { ExportedResource, SecretNotation } from "../types.ts";

/** A resource as a Pulumi program declares it. */
export interface Declaration {
  readonly exported: ExportedResource;
  /** The name of its class. */
  readonly title: string;
  /** Its id in the Pulumi state. */
  readonly id: string;
  /** The inputs in the Pulumi state, as the provider derives them from the arguments. {@link UNKNOWN_SECRET} stands for each secret. */
  readonly inputs: JsonObject;
}

/**
 * What a program that Pulumi makes of the inputs can hold. In YAML it would call the function `fn::readFile`; older
 * versions also read `Fn::`.
 */
export const PULUMI_SECRETS: SecretNotation = { ...CONFIGURATION_SECRETS, addsRequired: true, commands: /^fn::/i };

/**
 * An exported resource as a program declares it, without the values that the service has if nothing is declared: people read the
 * programs that Pulumi makes of the inputs. If the provider would reject it, returns undefined and adds a warning.
 *
 * @param place the property that names the organization or project that it is in, with its id
 */
export function toDeclaration(
  exported: ExportedResource,
  place: JsonObject,
  session: ExportSession,
): Declaration | undefined {
  const { kind: name, live, address } = exported;
  const kind = kinds[name];
  const args = { ...place, ...withoutDefaults(kind, programArguments(exported)) };
  const { inputs, failures } = check(kind, mapSecrets(args, () => UNKNOWN_SECRET) as JsonObject);
  if (failures.length > 0) {
    const reasons = failures.map(({ property, reason, path }) => `${path ?? property} ${reason}`).join("; ");
    session.warn(address, "not_declarable", `${name} ${live.id} is left out: ${reasons}`);
    return undefined;
  }
  const { title } = pulumiProperties[name];
  return { exported, title, id: stateId(kind, live.id, exported.name), inputs };
}

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
  const { identity } = kinds[name];
  const isKeyed = isKeyedByEmail(name);
  const mine = Object.entries(pulumiProperties[name].inputs).flatMap(([property, field]) => {
    // A field that is null on the service is left out, unless it is required.
    const isRequiredNull = kindSchema(name).required.includes(field) && live.values[field] === null;
    const value = fields[field] ?? (isRequiredNull ? null : undefined);
    return value === undefined ? [] : [[property, value] as const];
  });
  return {
    ...(isKeyed ? { email: key } : {}),
    ...Object.fromEntries(mine),
    ...(fields[EXTRA_FIELDS] === undefined ? {} : { [EXTRA_PROPERTY]: fields[EXTRA_FIELDS] }),
    // The object of an import is known, but a program has to say which one it is.
    ...(!isKeyed && identity.declaredKeys(fields, key).length === 0 ? { adopt: live.id } : {}),
  };
}
