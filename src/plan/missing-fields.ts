import { CODES } from "../model/diagnostic-codes.ts";
import { collectionOf, kinds } from "../kinds/registry.ts";
import { missingFields, type VaryingField } from "../kinds/varying-fields.ts";
import { type Diagnostic, warningAt } from "../model/diagnostic.ts";
import { isBlank, valueAt, type ValueObject, withValueAt } from "../model/json/json.ts";
import type { LiveList } from "../model/live.ts";
import { isWanted, type Resource } from "../model/resource.ts";

/**
 * Takes the declared fields out of a resource that its service does not take, with a warning about each: they are not planned,
 * not sent, and no drift. The rows of a complete list show what the service takes. An empty list shows nothing, so everything is
 * sent. A field that the service shows as another one, which is not declared, stays: it is compared with that, and a guard keeps
 * it from being sent.
 */
export function withoutMissingFields(
  resource: Resource,
  list: LiveList | undefined,
): { readonly resource: Resource; readonly warnings: readonly Diagnostic[] } {
  const missing = missingFields(resource.kind, resource.values, list);
  if (missing.length === 0) return { resource, warnings: [] };
  const dropped = missing.filter((field) => shownAsOther(resource, field) === undefined);
  const values = dropped.reduce((rest, { keys }) => withValueAt(rest, keys, undefined) as ValueObject, resource.values);
  const warnings = isWanted(resource.lifecycle) ? missing.map((field) => notOnService(resource, field)) : [];
  return { resource: { ...resource, values }, warnings };
}

/** The field as which the service shows what a declared one says; undefined if it does not, or if that one is declared as well. */
function shownAsOther({ values }: Resource, { keys, schema }: VaryingField): string | undefined {
  const other = schema["x-left"]?.shown_as;
  return other !== undefined && isBlank(values[other]) && !isBlank(valueAt(values, keys)) ? other : undefined;
}

/** The warning about a resource whose collection the service no longer has. It is neither planned nor sent, and is no drift. */
export function kindNotOnService(resource: Resource): Diagnostic {
  const { hints } = kinds[resource.kind];
  const message = `this service does not have ${collectionOf(resource.kind)} here, so it is left out`;
  const hint = hints?.goneHint ?? "Remove the declaration.";
  return warningAt(resource, { code: CODES.notOnService, message, hint });
}

function notOnService(resource: Resource, missing: VaryingField): Diagnostic {
  const { "x-left": left, "x-since": since } = missing.schema;
  const field = `${missing.keys.join(".")} of ${collectionOf(resource.kind)}`;
  const other = shownAsOther(resource, missing);
  const message =
    other !== undefined
      ? `this service does not take ${field}, so it is only compared with the ${other} of the object`
      : left?.read_only_beside === undefined
        ? `this service does not have ${field}, so it is left out`
        : `${field} is read-only on this service, so it is left out`;
  const hint = left === undefined ? `Services have it since ${since ?? ""}.` : `Today, ${left.instead}.`;
  return warningAt(resource, { code: CODES.notOnService, message, hint });
}
