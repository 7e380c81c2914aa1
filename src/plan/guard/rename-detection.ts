/**
 * Finds undeclared objects that are probably a resource which is about to be created, under its former name.
 *
 * Terms: an undeclared object is an exact candidate for a create of its kind and scope if it has the same values except for the
 * natural key: all that are declared, and no others that somebody must have set (see `hasUndeclared`). A similar candidate has
 * the same whole fields, such as the query of an insight, and may differ in all others: it was probably renamed and edited.
 * Premise: there may be thousands of creates and of objects, so comparing each pair would take too long.
 * Algorithm: creates that declare the same fields, at every depth, form a group. A table holds its members by their normalized
 * values. Each object is looked up once per group, and compared with the members that it is found with.
 */
import { quoted, visible } from "../../model/text/quote.ts";
import { liveAsDeclared } from "../../diff/body.ts";
import { compare } from "../../diff/compare.ts";
import { unverifiablePaths } from "../../diff/shown-as.ts";
import { hasUndeclared } from "../../diff/undeclared-keys.ts";
import { normalizedAt, indexedPaths, type IndexedPath } from "../../diff/value-index.ts";
import type { Check } from "../../kinds/check.ts";
import type { Kind } from "../../kinds/kind.ts";
import { kinds } from "../../kinds/registry.ts";
import { isWhole } from "../../kinds/nodes.ts";
import type { Change } from "../../model/change.ts";
import { isValueObject, type JsonObject, type Value, type ValueObject } from "../../model/json/json.ts";
import { listKey, type LiveObject } from "../../model/live.ts";
import { isWithin } from "../../model/resource.ts";
import { mayBeRename } from "../may-be-rename.ts";

/** By identity. */
export interface RenameCandidates {
  /** The first candidate of a create. */
  readonly byCreate: ReadonlyMap<Change, LiveObject>;
  /** For an undeclared object that matches creates, the candidate of the first of them, which may be another object. */
  readonly byObject: ReadonlyMap<LiveObject, LiveObject>;
}

/** If a create looks like a rename, the object that it looks like is not pruned either: it is probably the same. */
export const forgottenRename: Check = {
  rule: "forgotten_rename",
  inspect: ({ changes, undeclared }) => {
    const { byCreate, byObject } = findRenameCandidates(changes, undeclared);
    return (change) => {
      const { live } = change.work;
      const candidate = live === undefined ? byCreate.get(change) : byObject.get(live);
      if (candidate === undefined) return undefined;
      const [former] = candidate.keys;
      // An object without a natural key cannot be found by a former one.
      const same =
        former === undefined
          ? `id: ${visible(candidate.id)} if it is the same`
          : `id: ${visible(candidate.id)} or lifecycle.renamed_from: ${quoted(former)} if it was renamed`;
      return { blocked: { lift: `${same}, lifecycle.create: true if it is new` } };
    };
  },
};

type Similarity = "exact" | "similar";

/**
 * Finds exact or similar candidates.
 *
 * @param undeclared objects that no resource has claimed
 */
export function findRenameCandidates(
  changes: readonly Change[],
  undeclared: readonly LiveObject[],
  by: Similarity = "exact",
): RenameCandidates {
  const byCreate = new Map<Change, LiveObject>();
  const byObject = new Map<LiveObject, LiveObject>();
  // If every object is managed, none can be the former one of a create.
  if (undeclared.length === 0) return { byCreate, byObject };
  const groups = groupsOf(changes.flatMap((change, order) => possibleRenames(change, order, by)));
  for (const live of undeclared) {
    const near = groups.get(listKey(live.scope, live.kind));
    if (near === undefined) continue;
    const { values } = live;
    const isMatch = ({ kind, others }: PossibleRename): boolean => compare(kind, others, values).length === 0;
    const matching = near.flatMap((group) => {
      const entry = entryOf(group, values, by);
      if (entry === undefined) return [];
      for (const rename of entry.open) {
        if (!isMatch(rename)) continue;
        entry.open.delete(rename);
        if (!byCreate.has(rename.change)) byCreate.set(rename.change, live);
      }
      return entry.all.find(isMatch) ?? [];
    });
    const [first] = matching.toSorted((a, b) => a.order - b.order);
    if (first !== undefined) byObject.set(live, byCreate.get(first.change) ?? live);
  }
  return { byCreate, byObject };
}

/** A create that may be a forgotten rename, and what it declares besides its natural key. */
interface PossibleRename {
  readonly change: Change;
  readonly order: number;
  readonly kind: Kind;
  readonly scope: string;
  readonly others: ValueObject;
}

function possibleRenames(change: Change, order: number, by: Similarity): readonly PossibleRename[] {
  const resource = change.work?.resource;
  if (resource === undefined || !mayBeRename(resource) || change.action !== "create") return [];
  const kind = kinds[resource.kind];
  const isCompared = (field: string, value: Value): boolean =>
    by === "similar" ? isWhole(kind.name, field) && isValueObject(value) : !kind.identity.keyFields.includes(field);
  const others = Object.entries(resource.values).filter(([field, value]) => isCompared(field, value));
  if (others.length === 0) return [];
  return [{ change, order, kind, scope: resource.scope, others: Object.fromEntries(others) }];
}

/** Creates in one scope that declare the same fields. */
interface Group {
  readonly kind: Kind;
  /** What one of them declares. */
  readonly sample: ValueObject;
  readonly places: readonly IndexedPath[];
  readonly members: PossibleRename[];
  /** By the fields that cannot be compared with an object that is shown in another notation. */
  readonly tables: Map<string, Table>;
}

interface Table {
  /** The fields that can be compared with an object, each with the normalized values that occur among the members. */
  readonly fields: readonly { readonly place: IndexedPath; readonly known: ReadonlySet<string> }[];
  readonly entries: Map<string, Entry>;
}

/** Creates with the same normalized values. */
interface Entry {
  /** What one of them declares. */
  readonly sample: ValueObject;
  readonly all: PossibleRename[];
  /** The creates that have no candidate yet. */
  readonly open: Set<PossibleRename>;
}

/** By `listKey`. */
function groupsOf(creates: readonly PossibleRename[]): ReadonlyMap<string, readonly Group[]> {
  const groups = new Map<string, Map<string, Group>>();
  for (const create of creates) {
    const { kind, scope, others } = create;
    const list = listKey(scope, kind.name);
    const near = groups.get(list) ?? new Map<string, Group>();
    groups.set(list, near);
    const places = indexedPaths(kind, others);
    const shape = JSON.stringify(places.map(({ path, type, scalar }) => [path, type, scalar.schema?.format]));
    const group = near.get(shape) ?? { kind, sample: others, places, members: [], tables: new Map<string, Table>() };
    near.set(shape, group);
    group.members.push(create);
  }
  return new Map([...groups].map(([list, near]) => [list, [...near.values()]]));
}

/** Returns the creates of a group that an object may be a candidate for. */
function entryOf(group: Group, values: JsonObject, by: Similarity): Entry | undefined {
  const { kind, sample, places, members, tables } = group;
  // The notation depends on which fields are declared, and all members declare the same fields.
  const shown = liveAsDeclared(kind, sample, values);
  const hidden = unverifiablePaths(kind, sample, values);
  const key = JSON.stringify(hidden);
  const table = tables.get(key) ?? tableOf(places, members, hidden);
  tables.set(key, table);
  const forms: string[] = [];
  for (const { place, known } of table.fields) {
    const form = normalizedAt(place, shown);
    if (!known.has(form)) return undefined;
    forms.push(form);
  }
  const entry = table.entries.get(forms.join("\n"));
  // All members declare the same keys, so the object has more than all of them or than none.
  return entry === undefined || (by === "exact" && hasUndeclared(kind, entry.sample, values)) ? undefined : entry;
}

function tableOf(all: readonly IndexedPath[], members: readonly PossibleRename[], hidden: readonly string[]): Table {
  const isHidden = ({ path }: IndexedPath): boolean => hidden.some((top) => isWithin(path, top));
  const fields = all
    .filter((place) => place.type !== "blind" && !isHidden(place))
    .map((place) => ({ place, known: new Set<string>() }));
  const entries = new Map<string, Entry>();
  for (const member of members) {
    const forms = fields.map(({ place, known }) => {
      const form = normalizedAt(place, member.others);
      known.add(form);
      return form;
    });
    const key = forms.join("\n");
    const entry = entries.get(key) ?? { sample: member.others, all: [], open: new Set() };
    entry.all.push(member);
    entry.open.add(member);
    entries.set(key, entry);
  }
  return { fields, entries };
}
