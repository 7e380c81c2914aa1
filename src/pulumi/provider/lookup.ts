import { kinds } from "../../kinds/registry.ts";
import type { Kind } from "../../kinds/kind.ts";
import { scopeType } from "../../model/address.ts";
import type { JsonObject } from "../../model/json.ts";
import type { KindName } from "../../model/kind-name.ts";
import {
  listKey,
  withObject,
  type LiveList,
  type LiveObject,
  type LiveScope,
  type LiveSnapshot,
} from "../../model/live.ts";
import type { Declared } from "../properties/properties.ts";
import { rowToObject } from "../../snapshot/read-object.ts";
import { idsOf } from "../properties/outs.ts";
import type { ReadSession } from "./session.ts";

/** What is live where a resource lives, by the shared lists. */
export interface LiveLookup {
  readonly snapshot: LiveSnapshot;
  /** Objects of the kind itself, then of its siblings. */
  readonly objects: readonly LiveObject[];
  readonly byId: ReadonlyMap<string, LiveObject>;
  /** The row that an object was seen in. */
  readonly row: (id: string) => JsonObject | undefined;
}

/** Lists made of rows, by the rows: a refresh of N objects makes them once. */
export type Assemblies = WeakMap<readonly JsonObject[], Map<string, Assembled>>;

export interface Assembled {
  readonly rows: readonly (readonly JsonObject[])[];
  readonly list: LiveList;
  readonly byId: ReadonlyMap<string, LiveObject>;
  readonly byRow: ReadonlyMap<string, JsonObject>;
}

/** @throws ApiError where a list cannot be read whole: what is unknown is not absent */
export async function lookUpScope(session: ReadSession, kind: Kind, declared: Declared): Promise<LiveLookup> {
  const full = kind.fullListFields?.some((field) => field in declared.values) === true;
  const names = [kind.name, ...kind.siblings];
  const parts = await Promise.all(names.map((name) => listOf(session, kinds[name], declared, full)));
  const [own] = parts;
  return {
    snapshot: {
      scopes: new Map<string, LiveScope>([
        ["", { status: "known", path: {} }],
        [declared.scope, { status: "known", path: declared.path }],
      ]),
      lists: new Map(parts.map(({ list }, index) => [listKey(declared.scope, names[index] ?? kind.name), list])),
    },
    objects: parts.flatMap(({ list }) => list.objects),
    byId:
      parts.length === 1 && own !== undefined ? own.byId : new Map(parts.toReversed().flatMap(({ byId }) => [...byId])),
    row: (id) => parts.map(({ byRow }) => byRow.get(id)).find((row) => row !== undefined),
  };
}

/**
 * The same with the object of one resource, which is looked up by its id where no list shows it: lists may lag behind its create,
 * and what a state has made must not be lost to it.
 */
export async function lookUpObject(
  session: ReadSession,
  kind: Kind,
  declared: Declared,
  id: string,
): Promise<LiveLookup> {
  const live = await lookUpScope(session, kind, declared);
  if (live.byId.has(id.toLowerCase())) return live;
  const named = { kind: kind.name, scope: declared.scope, id };
  const row = await session.readObject(named, declared.path);
  const found = rowToObject(named, declared.path, row);
  if (found === undefined) return live;
  return {
    snapshot: { ...live.snapshot, lists: withObject(live.snapshot.lists, found) },
    objects: [...live.objects, found],
    byId: new Map([...live.byId, [id.toLowerCase(), found]]),
    row: (other) => (other === id ? row : live.row(other)),
  };
}

/** The same with the organizations, which tell what level the key's own user has. */
export async function withOrganizations(session: ReadSession, live: LiveLookup): Promise<LiveSnapshot> {
  const root: Declared = { values: {}, scope: "", path: {}, name: "", adopt: false, confirmDelete: undefined };
  const { list } = await listOf(session, kinds.organization, root, false);
  return {
    ...live.snapshot,
    lists: new Map([...live.snapshot.lists, [listKey("", "organization" satisfies KindName), list]]),
  };
}

async function listOf(session: ReadSession, kind: Kind, { scope, path }: Declared, full: boolean): Promise<Assembled> {
  const operations = kind.lists(scopeType(scope));
  const rows = await Promise.all(operations.map((operation) => session.rows.read(operation, path, full)));
  const [first = []] = rows;
  const known = session.assemblies.get(first) ?? new Map<string, Assembled>();
  session.assemblies.set(first, known);
  const key = `${kind.name} ${scope}`;
  const found = known.get(key);
  if (found !== undefined && found.rows.every((one, index) => one === rows[index])) return found;
  const objects = kind.assemble({
    scope,
    path,
    rows: Object.fromEntries(operations.map((operation, index) => [operation, rows[index] ?? []])),
  });
  const made: Assembled = {
    rows,
    list: { status: "known", objects },
    byId: new Map(objects.filter((one) => one.placeholder !== true).map((one) => [one.id.toLowerCase(), one])),
    byRow: new Map(rows.flat().flatMap((row) => idsOf(row).map((id): [string, JsonObject] => [id, row]))),
  };
  known.set(key, made);
  return made;
}
