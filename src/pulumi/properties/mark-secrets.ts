import { pulumiProperties } from "../../generated/pulumi.ts";
import type { Kind } from "../../kinds/kind.ts";
import { EXTRA_PROPERTY } from "../../model/extra-fields.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json/json.ts";
import { mapValues } from "../../model/json/object.ts";
import { isSecretName } from "../../model/secret-values.ts";
import type { Properties } from "./properties.ts";

/** The key and value that mark a secret on the wire, in a state and in a file of imports. Source: `runtime/rpc` of the SDK. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
export const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

/**
 * Marks the properties that hold secrets, so that they are secret in the state in any case. Otherwise the engine knows that only
 * from the program or from the state, and for an imported object from neither.
 *
 * @param mark the marked form of a value, which is not null
 */
export function markSecrets(kind: Kind, props: Properties, mark: (value: Json) => JsonObject): JsonObject {
  const { secrets } = pulumiProperties[kind.name];
  const markWhere = (values: JsonObject, isSecret: (name: string) => boolean): JsonObject =>
    mapValues(values, (value, name) => (isSecret(name) && value !== null ? mark(value) : value));
  const marked = markWhere(props, (name) => secrets.includes(name));
  const extra = props[EXTRA_PROPERTY] ?? null;
  return isJsonObject(extra) ? { ...marked, [EXTRA_PROPERTY]: markWhere(extra, isSecretName) } : marked;
}
