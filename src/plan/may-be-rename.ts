import { own } from "../model/json/json.ts";
import { kindSchema, typesOf } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import { kinds } from "../kinds/registry.ts";
import { isWanted, type Resource } from "../model/resource.ts";

/** Whether a resource without an object is compared with the undeclared objects: it may be one of them, renamed. */
export function mayBeRename(resource: Resource): boolean {
  const { pin, lifecycle } = resource;
  // A rename keeps the id, so a pinned object that is missing was not renamed.
  const isCreate = pin === undefined && isWanted(lifecycle);
  return isCreate && lifecycle.create !== true && isComparable(kinds[resource.kind], resource);
}

/** Whether a resource declares enough to recognize its object: a free-form value besides the natural key. */
function isComparable(kind: Kind, resource: Resource): boolean {
  return Object.entries(resource.values).some(
    ([field, value]) =>
      !kind.identity.keyFields.includes(field) &&
      isFreeForm(kind, field) &&
      value !== null &&
      JSON.stringify(value) !== "{}",
  );
}

function isFreeForm(kind: Kind, field: string): boolean {
  return typesOf(own(kindSchema(kind.name).properties, field)).includes("object");
}
