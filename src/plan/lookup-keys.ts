/**
 * Collects what the declared resources may look for in each list.
 *
 * Premise: a resource finds its object only by its pin, its natural keys, or those before a rename. Any other object is only
 * counted, listed as unmanaged, and compared with creates to detect renames.
 */
import { kinds } from "../kinds/registry.ts";
import { listKey, type LookupKeys } from "../model/live.ts";
import type { DesiredGraph, Resource } from "../model/resource.ts";
import { renamedKeys } from "./match.ts";
import { isComparable } from "./guard/rename-detection.ts";

interface MutableLookupKeys extends LookupKeys {
  readonly keys: Set<string>;
  readonly pins: Map<string, Set<string>>;
  readonly fields: Set<string>;
}

/** By `listKey`. Resources that `--only` leaves out count as well: their objects are not unmanaged. */
export function lookupKeysOf(graph: DesiredGraph): ReadonlyMap<string, LookupKeys> {
  const lists = new Map<string, MutableLookupKeys>();
  for (const resource of graph.resources) {
    const kind = kinds[resource.kind];
    for (const name of [kind.name, ...kind.siblings]) {
      const key = listKey(resource.scope, name);
      const list = lists.get(key) ?? { keys: new Set(), pins: new Map(), fields: new Set() };
      lists.set(key, list);
      addIdentity(list, resource);
      if (name === kind.name && mayBeRename(resource))
        for (const field of [...Object.keys(resource.values), ...(kind.notationFields ?? [])])
          if (!kind.keyFields.includes(field)) list.fields.add(field);
    }
  }
  return lists;
}

function addIdentity(list: MutableLookupKeys, resource: Resource): void {
  const { pin, values, name, lifecycle } = resource;
  const kind = kinds[resource.kind];
  for (const key of kind.declaredKeys(values, name)) list.keys.add(key);
  if (lifecycle.renamed_from !== undefined)
    for (const key of renamedKeys(kind, resource, lifecycle.renamed_from)) list.keys.add(key);
  if (pin === undefined) return;
  const pins = list.pins.get(pin.field) ?? new Set<string>();
  list.pins.set(pin.field, pins.add(pin.value.toLowerCase()));
}

/** Whether a resource without an object is compared with the unmanaged objects: it may be one of them, renamed. */
function mayBeRename(resource: Resource): boolean {
  const { pin, lifecycle } = resource;
  const isCreate = pin === undefined && lifecycle.state !== "absent" && lifecycle.forget !== true;
  return isCreate && lifecycle.create !== true && isComparable(kinds[resource.kind], resource);
}
