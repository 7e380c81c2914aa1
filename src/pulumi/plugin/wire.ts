import { pulumiProperties } from "../../generated/pulumi.ts";
import type { Kind } from "../../kinds/kind.ts";
import { EXTRA_PROPERTY } from "../../model/extra-fields.ts";
import { isJsonObject, isSecretName, type Json, type JsonObject } from "../../model/json.ts";
import type { Properties } from "../properties/properties.ts";
import type { StructMessage } from "./sdk.ts";

/** The key and value that mark a wrapped secret on the wire. Source: `runtime/rpc` of the SDK. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

/** The properties in a message. An object that was not sent counts as empty. */
export function readStruct(struct: StructMessage | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}

/** The value without the wrapping of its secrets, at any depth. */
export function unwrapSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => unwrapSecrets(item));
  if (!isJsonObject(value)) return value;
  if (value[SIGNATURE] === SECRET_SIGNATURE) return unwrapSecrets(value["value"] ?? null);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unwrapSecrets(item)]));
}

/**
 * Wraps the properties that hold secrets, so that they are secret in the state in any case. Otherwise the engine knows that only
 * from the program or from the state, and for an imported object from neither.
 */
export function wrapSecrets(kind: Kind, props: Properties): JsonObject {
  const { secrets } = pulumiProperties[kind.name];
  const wrapWhere = (values: JsonObject, isSecret: (name: string) => boolean): JsonObject =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        isSecret(name) && value !== null ? { [SIGNATURE]: SECRET_SIGNATURE, value } : value,
      ]),
    );
  const wrapped = wrapWhere(props, (name) => secrets.includes(name));
  const extra = props[EXTRA_PROPERTY] ?? null;
  return isJsonObject(extra) ? { ...wrapped, [EXTRA_PROPERTY]: wrapWhere(extra, isSecretName) } : wrapped;
}
