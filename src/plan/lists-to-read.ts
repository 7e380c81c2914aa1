/** What a plan reads: which lists, in the cheap or the full form, and which objects by their ids instead. */
import { mayBeRename } from "./may-be-rename.ts";
import { isSelected, overlaps, undeclaredAddress } from "../model/plan.ts";
import { declarableFields } from "../kinds/fields.ts";
import { referencesIn, type Referred, referredBy } from "../kinds/references.ts";
import { isKeyedByEmail, addressOf, withSiblings, kinds } from "../kinds/registry.ts";
import { needsFullList, unknownFields } from "../kinds/unknown-fields.ts";
import { groupBy } from "../model/group-by.ts";
import type { KindName } from "../model/kind-name.ts";
import { type PlannedRead, listKey, type LookupKeys } from "../model/live.ts";
import { type DesiredGraph, type Pin, type Resource } from "../model/resource.ts";
import { mayContain, renamedKeys } from "./match.ts";

/** Up to this many objects are read one by one instead of in a list. */
const FEW = 3;

/**
 * The lists that a plan of the resources at `only` needs: each declared or exclusive kind, in each declared scope. Whether a
 * scope exists is not known yet.
 *
 * @param collections what is read with all objects and all values. Objects that may be pruned are needed like that.
 */
export function declaredReads(
  graph: DesiredGraph,
  only: readonly string[],
  collections: DesiredGraph["exclusive"] = graph.exclusive,
): readonly PlannedRead[] {
  // So are those of undeclared objects that `only` names: only their list shows them.
  const named = graph.resources.filter(({ scope, kind }) => {
    const ofUndeclared = undeclaredAddress({ scope, kind, id: "" });
    return only.some((address) => address.startsWith(ofUndeclared));
  });
  const ofWhole = [...collections, ...named];
  const lists = listsToRead(graph, only, ofWhole);
  const lookupKeys = lookupKeysOf(graph);
  const declared = groupBy(graph.resources, ({ scope, kind }) => listKey(scope, kind));
  const whole = new Set(ofWhole.map(({ scope, kind }) => listKey(scope, kind)));
  return [...lists].map(([key, { scope, kind, isFull }]) => {
    // The guards need all people of the scope, for example to find another owner.
    const isWhole = whole.has(key) || isKeyedByEmail(kind);
    const chosen = (declared.get(key) ?? []).filter(({ address }) => isSelected(address, only));
    // A plan without `only` needs the whole list, because it counts undeclared objects.
    const ids = whole.has(key) || only.length === 0 ? undefined : idsIfFew(kind, chosen);
    const pins = pinsIfHidden(kind, chosen);
    return { scope, kind, isFull, lookupKeys: isWhole ? undefined : lookupKeys.get(key), ids, pins };
  });
}

/** By `listKey`. */
function listsToRead(
  graph: DesiredGraph,
  only: readonly string[],
  collections: DesiredGraph["exclusive"],
): ReadonlyMap<string, Pick<PlannedRead, "scope" | "kind" | "isFull">> {
  const lists = new Map<string, Pick<PlannedRead, "scope" | "kind" | "isFull">>();
  const add = ({ scope, kind, isFull }: Pick<PlannedRead, "scope" | "kind" | "isFull">): void => {
    if (scope === "") return;
    const key = listKey(scope, kind);
    lists.set(key, { scope, kind, isFull: isFull || lists.get(key)?.isFull === true });
  };
  // Names are found in lists, and the names of ids. Projects are in the organization.
  const declared = new Set(graph.resources.map(({ scope, kind }) => listKey(scope, kind)));
  const addReferred = (scope: string, kind: KindName, named: readonly Referred[] = []): void => {
    for (const to of referredBy(kind))
      if (to !== "project" && (named.includes(to) || declared.has(listKey(scope, to))))
        add({ scope, kind: to, isFull: false });
  };
  for (const { scope, kind, values, address } of graph.resources) {
    if (!isSelected(address, only)) continue;
    const isFull = needsFullList(kinds[kind], values);
    for (const name of withSiblings(kind)) add({ scope, kind: name, isFull });
    addReferred(
      scope,
      kind,
      referencesIn(kind, values).flatMap(({ to, isId }) => (isId ? [] : [to])),
    );
  }
  for (const collection of collections) {
    const { scope, kind } = collection;
    const address = addressOf({ scope, kind });
    if (!overlaps(address, only)) continue;
    add({ scope, kind, isFull: false });
    addReferred(scope, kind);
    // Resources that are declared elsewhere may be among its objects. Those are not pruned.
    for (const resource of graph.resources.filter((one) => mayContain(collection, one)))
      for (const name of withSiblings(resource.kind)) add({ scope: resource.scope, kind: name, isFull: false });
  }
  return lists;
}

/**
 * The ids of the chosen resources, if they are few, all pinned, and of a kind whose lists may be long. A removal needs the whole list, and
 * so does a reference that only a list shows once it leads nowhere.
 */
function idsIfFew(kind: KindName, chosen: readonly Resource[]): readonly string[] | undefined {
  const { lists, comparison } = kinds[kind];
  if (lists.isLong !== true) return undefined;
  const ids = chosen.flatMap(({ pin, lifecycle, values }) => {
    const isInList = lifecycle.state === "absent" || (comparison?.missingReferences?.(values, {}) ?? []).length > 0;
    return pin?.field === "id" && !isInList ? [pin.value] : [];
  });
  return ids.length > 0 && ids.length <= FEW && ids.length === chosen.length ? ids : undefined;
}

/** The pins of the chosen resources, if the lists of their kind may leave out what the key's user may not see. */
function pinsIfHidden(kind: KindName, chosen: readonly Resource[]): readonly Pin[] | undefined {
  if (kinds[kind].lists.isLong !== true) return undefined;
  return chosen.flatMap(({ pin }) => pin ?? []);
}

/** Values of pins, by field. */
type Pins = Map<string, Set<string>>;

interface MutableLookupKeys extends LookupKeys {
  readonly keys: Set<string>;
  readonly pins: Pins;
  readonly fields: Set<string>;
}

/**
 * Collects what the declared resources may look for in each list, by `listKey`. Resources that `--only` leaves out count as
 * well: their objects are not undeclared.
 *
 * Premise: a resource finds its object only by its pin, its natural keys, or those before a rename. Any other object is only
 * counted, listed as unmanaged, and compared with creates to detect renames. A pin is looked for in all lists that may have its
 * object: it may be in another scope than the declaration (missing-pin.ts).
 */
export function lookupKeysOf(graph: DesiredGraph): ReadonlyMap<string, LookupKeys> {
  const lists = new Map<string, MutableLookupKeys>();
  const pinsBySpace = new Map<string, Pins>();
  for (const resource of graph.resources) {
    const kind = kinds[resource.kind];
    const { idSpace } = kind.identity;
    const pins = pinsBySpace.get(idSpace) ?? new Map<string, Set<string>>();
    pinsBySpace.set(idSpace, pins);
    addPin(pins, resource);
    for (const name of withSiblings(resource.kind)) {
      const key = listKey(resource.scope, name);
      const list = lists.get(key) ?? { keys: new Set(), pins, fields: new Set() };
      lists.set(key, list);
      addIdentity(list, resource);
      if (name === kind.name && mayBeRename(resource))
        for (const field of [...declarableFields(kind.name), ...unknownFields(kind.name, resource.values)])
          if (!kind.identity.keyFields.includes(field)) list.fields.add(field);
    }
  }
  return lists;
}

function addIdentity(list: MutableLookupKeys, resource: Resource): void {
  const { values, name, lifecycle } = resource;
  const kind = kinds[resource.kind];
  for (const key of kind.identity.declaredKeys(values, name)) list.keys.add(key);
  if (lifecycle.renamed_from !== undefined)
    for (const key of renamedKeys(kind, resource, lifecycle.renamed_from)) list.keys.add(key);
}

function addPin(pins: Pins, { pin }: Resource): void {
  if (pin === undefined) return;
  const values = pins.get(pin.field) ?? new Set<string>();
  pins.set(pin.field, values.add(pin.value.toLowerCase()));
}
