import { isJsonObject, isSensitive, own, pointerKeys, type Json } from "../model/json.ts";
import { valueNames } from "../model/kind-name.ts";
import { sanitize } from "./escape.ts";

/** A value on one line, whatever it holds. `path` is where it stands: numbers that have names are shown with them. */
export function inline(value: Json, path = ""): string {
  if (value === null) return "(not set)";
  const name = typeof value === "number" ? own(own(valueNames, path.slice(1)), String(value)) : undefined;
  return name === undefined ? json(value) : `${json(value)} (${name})`;
}

function json(value: Json): string {
  if (isSensitive(value)) return "(sensitive)";
  if (Array.isArray(value)) return `[${value.map((item: Json) => json(item)).join(", ")}]`;
  if (!isJsonObject(value)) return sanitize(JSON.stringify(value));
  const members = Object.entries(value).map(([key, item]) => `${sanitize(JSON.stringify(key))}: ${json(item)}`);
  return `{${members.join(", ")}}`;
}

/** A value on as many lines as it takes: text by its own lines, everything else as indented JSON. None for what is not set. */
export function lines(value: Json): readonly string[] {
  if (value === null) return [];
  if (isSensitive(value)) return ["(sensitive)"];
  const text = typeof value === "string" ? value : JSON.stringify(concealed(value), null, 2);
  return text.split(/\r\n|\n/).map(sanitize);
}

function concealed(value: Json): Json {
  if (isSensitive(value)) return "(sensitive)";
  if (Array.isArray(value)) return value.map((item: Json) => concealed(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, concealed(item)]));
}

/** A JSON Pointer as people write it: `destination.config.region`. Keys that would mislead are quoted. */
export function pathText(path: string): string {
  const keys = pointerKeys(path).map(keyText);
  return keys.length === 0 ? "(all of it)" : keys.join(".");
}

/** A key as it stands before a colon. */
export function keyText(key: string): string {
  return sanitize(/^[^\s."\\:]+$/.test(key) ? key : JSON.stringify(key));
}

/** The members of what is worth several lines: objects, and lists that hold any. Secrets are worth none. */
export function membersOf(value: Json): readonly (readonly [string, Json])[] {
  if (isSensitive(value)) return [];
  if (!Array.isArray(value)) return isJsonObject(value) ? Object.entries(value) : [];
  const nested = value.some((item: Json) => typeof item === "object" && item !== null);
  return nested ? value.map((item: Json, index): readonly [string, Json] => [`[${index}]`, item]) : [];
}
