import { isValueObject, type Value, type ValueObject } from "../../model/json.ts";
import { SECRET_PLACEHOLDER } from "../../model/sensitive.ts";

/**
 * Why fields cannot be sent, undefined where they can: an exported program has secrets that nobody has told yet, and what
 * stands in their place is never written.
 *
 * @param leaves what differs; the fields they are in are what is sent. Without them it is everything.
 */
export function missingSecretsIn(
  values: ValueObject,
  leaves?: readonly { readonly keys: readonly string[] }[],
): string | undefined {
  const sent = leaves === undefined ? Object.keys(values) : leaves.flatMap(({ keys }) => keys.slice(0, 1));
  const found = [...new Set(sent)].flatMap((field) => placeholderPaths(values[field] ?? null, [field]));
  if (found.length === 0) return undefined;
  return `what has to be sent holds secrets that nobody has told: ${found.join(", ")}. Set them, as the program says: pulumi config set --secret NAME, or the environment variable of a configuration`;
}

function placeholderPaths(value: Value, keys: readonly string[]): readonly string[] {
  if (value === SECRET_PLACEHOLDER) return [keys.join(".")];
  if (Array.isArray(value))
    return value.flatMap((item: Value, index) => placeholderPaths(item, [...keys, String(index)]));
  if (!isValueObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => placeholderPaths(item, [...keys, key]));
}
