import { isJsonObject, isSensitive, own, pointerKeys, type Json } from "../model/json.ts";
import { valueNames, type KindName } from "../model/kind-name.ts";
import { sanitize } from "./escape.ts";

/** Words for values. */
export type ValueNames = Readonly<Record<string, Json>>;

/** The words for the values of one field, which is given by its JSON Pointer. */
export function namesOfField(kind: KindName, path: string): ValueNames {
  return own(own(valueNames, kind), path) ?? {};
}

/** A value on one line. A value that has a name is followed by it. */
export function inline(value: Json, names: ValueNames = {}): string {
  if (value === null) return "(not set)";
  const [name] = Object.entries(names).find(([, named]) => named === value) ?? [];
  return name === undefined ? json(value) : `${json(value)} (${sanitize(name)})`;
}

function json(value: Json): string {
  if (isSensitive(value)) return "(sensitive)";
  if (Array.isArray(value)) return `[${value.map((item: Json) => json(item)).join(", ")}]`;
  if (!isJsonObject(value)) return sanitize(JSON.stringify(value));
  const members = Object.entries(value).map(([key, item]) => `${sanitize(JSON.stringify(key))}: ${json(item)}`);
  return `{${members.join(", ")}}`;
}

/** A JSON Pointer in dotted form, such as `destination.config.region`. Keys with special characters are quoted. */
export function pathText(path: string): string {
  const keys = pointerKeys(path).map(keyText);
  return keys.length === 0 ? "(whole object)" : keys.join(".");
}

/** A key before a colon, quoted if it has special characters. */
export function keyText(key: string): string {
  return sanitize(/^[^\s."\\:]+$/.test(key) ? key : JSON.stringify(key));
}
