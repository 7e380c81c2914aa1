/**
 * Finds unmanaged objects that are probably a resource which is about to be created, under its former name.
 *
 * Terms: an unmanaged object is an exact candidate for a create of its kind and scope if it has the same values except for the
 * natural key: all that are declared, and no others that somebody must have set (see `hasUndeclared`). A similar candidate has
 * the same whole fields, such as the query of an insight, and may differ in all others: it was probably renamed and edited.
 * Premise: there may be thousands of creates and of objects, so comparing each pair would take too long.
 * Algorithm: creates that declare the same fields, at every depth, form a group. A table holds its members by their normalized
 * values. Each object is looked up once per group, and compared with the members that it is found with.
 */
import { compare } from "../../diff/compare.ts";
import { hasUndeclared } from "../../diff/undeclared.ts";
import { normalizedAt, indexedPaths, type IndexedPath } from "../../diff/value-index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { kinds } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { isValueObject, type JsonObject, type Value, type ValueObject } from "../../model/json.ts";
import { listKey, type LiveObject } from "../../model/live.ts";
import { suggestedCommand } from "../../model/messages.ts";
import { isComparable } from "../lists-to-read.ts";

/**
 * Two lookups in one map, both by identity: a create leads to its first candidate, and a candidate leads to the first candidate
 * for the first create that it matches. The guards look both up before they copy any change.
 */
export type RenameCandidates = ReadonlyMap<Change | LiveObject, LiveObject>;

type Similarity = "exact" | "similar";

/**
 * Finds exact or similar candidates.
 *
 * @param unmanaged objects that no resource has claimed
 */
export function findRenameCandidates(
  changes: readonly Change[],
  unmanaged: readonly LiveObject[],
  by: Similarity = "exact",
): RenameCandidates {
  const candidates = new Map<Change | LiveObject, LiveObject>();
  const groups = groupsOf(changes.flatMap((change, order) => possibleRenames(change, order, by)));
  for (const live of unmanaged) {
    const near = groups.get(listKey(live.scope, live.kind));
    if (near === undefined) continue;
    const { values } = live;
    const isMatch = ({ kind, others }: PossibleRename): boolean => compare(kind, others, values).length === 0;
    const found = near.flatMap((group): readonly PossibleRename[] => {
      const entry = lookUp(group, values, by);
      const first = entry?.all.find(isMatch);
      if (entry === undefined || first === undefined) return [];
      const matched = new Set(entry.open.filter(isMatch));
      entry.open = entry.open.filter((one) => !matched.has(one));
      for (const { change } of matched) if (!candidates.has(change)) candidates.set(change, live);
      return [first];
    });
    const [first] = found.toSorted((a, b) => a.order - b.order);
    const own = first === undefined ? undefined : candidates.get(first.change);
    if (own !== undefined) candidates.set(live, own);
  }
  return candidates;
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
  if (change.action !== "create" || resource === undefined || resource.lifecycle.create === true) return [];
  // A rename keeps the id, so a pinned object that is missing was not renamed.
  if (resource.pin !== undefined) return [];
  const kind = kinds[resource.kind];
  if (!isComparable(kind, resource)) return [];
  const isCompared = (field: string, value: Value): boolean =>
    by === "exact"
      ? !kind.keyFields.includes(field)
      : kind.wholeFields?.includes(field) === true && isValueObject(value);
  const others = Object.entries(resource.values).filter(([field, value]) => isCompared(field, value));
  if (others.length === 0) return [];
  return [{ change, order, kind, scope: resource.scope, others: Object.fromEntries(others) }];
}

/** Creates in one scope that declare the same fields. */
interface Group {
  readonly kind: Kind;
  readonly places: readonly IndexedPath[];
  readonly members: PossibleRename[];
  /** By the fields that cannot be compared with an object that is shown in another notation. */
  readonly tables: Map<string, Table>;
}

interface Table {
  /** The fields that can be compared with an object. */
  readonly places: readonly IndexedPath[];
  /** The normalized values that occur among the members, by field. */
  readonly known: readonly ReadonlySet<string>[];
  readonly entries: Map<string, Entry>;
}

/** Creates with the same normalized values. */
interface Entry {
  readonly all: PossibleRename[];
  /** The creates that have no candidate yet. */
  open: readonly PossibleRename[];
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
    const group = near.get(shape) ?? { kind, places, members: [], tables: new Map<string, Table>() };
    near.set(shape, group);
    group.members.push(create);
  }
  return new Map([...groups].map(([list, near]) => [list, [...near.values()]]));
}

/** Returns the members of a group that may have an object as their candidate. */
function lookUp(group: Group, values: JsonObject, by: Similarity): Entry | undefined {
  const { kind, places, members, tables } = group;
  // The notation depends on which fields are declared, and all members declare the same fields.
  const restated = kind.toDeclaredNotation?.(members[0]?.others ?? {}, values);
  const hidden = restated === undefined ? [] : [...restated.unverifiable, ...restated.copied];
  const key = JSON.stringify(hidden);
  const table = tables.get(key) ?? tableOf(places, members, hidden);
  tables.set(key, table);
  const forms: string[] = [];
  for (const [index, place] of table.places.entries()) {
    const form = normalizedAt(place, restated?.values ?? values);
    if (table.known[index]?.has(form) !== true) return undefined;
    forms.push(form);
  }
  const entry = table.entries.get(forms.join("\n"));
  // All members declare the same keys, so the object has more than all of them or than none.
  const [first] = entry?.all ?? [];
  return first === undefined || (by === "exact" && hasUndeclared(kind, first.others, values)) ? undefined : entry;
}

function tableOf(all: readonly IndexedPath[], members: readonly PossibleRename[], hidden: readonly string[]): Table {
  const isHidden = ({ path }: IndexedPath): boolean => hidden.some((top) => path === top || path.startsWith(`${top}/`));
  const places = all.filter((place) => place.type !== "blind" && !isHidden(place));
  const known = places.map(() => new Set<string>());
  const entries = new Map<string, Entry>();
  for (const member of members) {
    const forms = places.map((place) => normalizedAt(place, member.others));
    for (const [index, form] of forms.entries()) known[index]?.add(form);
    const key = forms.join("\n");
    const entry = entries.get(key) ?? { all: [], open: [] };
    entry.all.push(member);
    entry.open = entry.all;
    entries.set(key, entry);
  }
  return { places, known, entries };
}

/**
 * Warns of creates that are probably an object which somebody has renamed and edited. They are not blocked: two objects may have
 * one query.
 *
 * @param changes with `blocked` set
 */
export function probableRenames(changes: readonly Change[], unmanaged: readonly LiveObject[]): readonly Diagnostic[] {
  const open = changes.filter(({ blocked }) => blocked?.rule !== "forgotten_rename");
  const candidates = findRenameCandidates(open, unmanaged, "similar");
  return open.flatMap((change): readonly Diagnostic[] => {
    const live = candidates.get(change);
    if (live === undefined) return [];
    const { address, kind, work } = change;
    const [name] = live.keys;
    const called = name === undefined ? "" : ` ${JSON.stringify(name)}`;
    const same = (kinds[kind].wholeFields ?? []).join(" and ");
    const message = `the ${kind}${called} (id ${live.id}) has the same ${same}: it is probably this one, renamed and edited`;
    const hint = `If it is, pin it, which keeps it over every rename: ${suggestedCommand("pin", `${address}=${live.id}`)}. If this one is new, declare lifecycle.create: true.`;
    return [{ severity: "warning", code: "probable_rename", message, hint, address, ...work?.resource?.position }];
  });
}
