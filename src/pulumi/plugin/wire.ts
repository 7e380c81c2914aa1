import type { Kind } from "../../kinds/kind.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json/json.ts";
import { mapValues } from "../../model/json/object.ts";
import type { Properties } from "../properties/properties.ts";
import { markSecrets, SECRET_SIGNATURE, SIGNATURE } from "../properties/mark-secrets.ts";
import type { StructMessage } from "./sdk.ts";

/** The properties in a message. An object that was not sent counts as empty. */
export function readStruct(struct: StructMessage | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}

/** The value without the wrapping of its secrets, at any depth. */
export function unwrapSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => unwrapSecrets(item));
  if (!isJsonObject(value)) return value;
  if (value[SIGNATURE] === SECRET_SIGNATURE) return unwrapSecrets(value["value"] ?? null);
  return mapValues(value, unwrapSecrets);
}

export function wrapSecrets(kind: Kind, props: Properties): JsonObject {
  return markSecrets(kind, props, (value) => ({ [SIGNATURE]: SECRET_SIGNATURE, value }));
}
