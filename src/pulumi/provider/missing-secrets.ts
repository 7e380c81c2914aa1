import { leavesOf, type ValueObject } from "../../model/json/json.ts";
import { UNKNOWN_SECRET } from "../../model/secret-values.ts";

/**
 * Returns why fields cannot be sent. Returns undefined if they can. The program of an import holds {@link UNKNOWN_SECRET} for each
 * secret, which is never sent.
 *
 * @param differences their fields are sent; without them all fields are
 */
export function missingSecretsIn(
  values: ValueObject,
  differences?: readonly { readonly keys: readonly string[] }[],
): string | undefined {
  const sent = differences === undefined ? Object.keys(values) : differences.flatMap(({ keys }) => keys.slice(0, 1));
  const missing = [...new Set(sent)]
    .flatMap((field) => leavesOf(values[field] ?? null, [field]))
    .filter(({ value }) => value === UNKNOWN_SECRET)
    .map(({ keys }) => keys.join("."));
  if (missing.length === 0) return undefined;
  return `secrets are missing in ${missing.join(", ")}. Have the program read each from the configuration of the stack, and set it with pulumi config set --secret NAME. For a configuration of driftline, set the environment variables that it names`;
}
