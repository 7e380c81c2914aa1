import { afterConversion, convertedParts } from "../diff/conversion.ts";
import type { Kind } from "../kinds/kind.ts";
import { command } from "../model/command.ts";
import { type Diagnostic, warningAt } from "../model/diagnostic.ts";
import type { Value, ValueObject } from "../model/json/json.ts";
import type { LiveObject } from "../model/live.ts";
import { visible } from "../model/text/quote.ts";
import { isWanted, type Resource } from "../model/resource.ts";

const quotedValue = (value: Value): string => visible(typeof value === "string" ? value : JSON.stringify(value));

/**
 * The declared values as the service has converted them, with a warning about what has to be declared anew. A conversion is no
 * difference: the service itself changed the object, and no write can undo that.
 */
export function convertedResource(
  kind: Kind,
  resource: Resource,
  live: LiveObject,
): { readonly values: ValueObject; readonly warnings: readonly Diagnostic[] } {
  const { address, lifecycle, values } = resource;
  const parts = convertedParts(kind, values, live.values);
  if (parts.length === 0 || !isWanted(lifecycle)) return { values, warnings: [] };
  const changed = parts.flatMap(({ keys, value }) =>
    value === undefined ? [] : `${keys.join(".")} is ${quotedValue(value)} now`,
  );
  const gone = parts.flatMap(({ keys, value }) => (value === undefined ? keys.join(".") : []));
  const without = gone.length === 0 ? [] : [`it no longer takes ${gone.join(", ")}`];
  const message = `the service has converted this ${kind.name}: ${[...changed, ...without].join(", and ")}`;
  const accept = command("drift", { accept: true, only: address });
  const hint = { hint: "Declare it like that. To write it into the file:", command: accept };
  const warning = warningAt(resource, { code: "converted_by_service", message, hint });
  return { values: afterConversion(kind, values, live.values), warnings: [warning] };
}
