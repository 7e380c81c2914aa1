import { type Change, isCreating } from "../model/change.ts";
import { kinds } from "./registry.ts";

/** The name that a change gives an object, if only one object of the whole service can have it. */
export function uniqueNameOf({ action, kind, work }: Change): string | undefined {
  const { unique, declaredKeys } = kinds[kind].identity;
  const { resource, live, body = {} } = work ?? {};
  if (unique === undefined || resource === undefined) return undefined;
  const isNamed = isCreating({ action }) || (action === "update" && Object.hasOwn(body, unique));
  const isSet = (resource.values[unique] ?? "") !== "";
  const [name] = isNamed && isSet ? declaredKeys(resource.values, resource.name) : [];
  return name === undefined || live?.keys.includes(name) === true ? undefined : name;
}
