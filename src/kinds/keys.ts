/** Ids and natural keys, as rows of the service and configurations write them. */
import type { Json } from "../model/json/json.ts";

/** Returns the text of a string or a number, else undefined. Ids may be either. */
export function asText(value: Json | undefined): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** Returns the trimmed text of a natural key as a list with at most one element. */
export function naturalKey(value: unknown): readonly string[] {
  const key = typeof value === "string" ? value.trim() : "";
  return key === "" ? [] : [key];
}

/** Returns the natural key of an e-mail address or a domain, whose case does not matter. */
export function caselessKey(value: unknown): readonly string[] {
  return naturalKey(value).map((key) => key.toLowerCase());
}
