import { ApiError } from "../../api/errors/errors.ts";
import { gapAt, isPerson, kinds, withSiblings } from "../../kinds/registry.ts";
import { needsFullList } from "../../kinds/unknown-fields.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json/json.ts";
import type { KindName } from "../../model/kind-name.ts";
import { listKey, withObject, type LiveList, type LiveObject, type LiveWorld } from "../../model/live.ts";
import type { DeclaredResource } from "../properties/properties.ts";
import { assembled, listRequests, readWhole } from "../../world/list-reader.ts";
import { rowToObject } from "../../kinds/object-read.ts";
import { rowIds } from "../../kinds/rows.ts";
import type { ReadSession } from "./session.ts";

/** The live objects in the scope of a resource, from the shared lists. */
export interface ScopeRead {
  readonly world: LiveWorld;
  /** Objects of the kind itself, then of its siblings. */
  readonly objects: readonly LiveObject[];
  readonly byId: ReadonlyMap<string, LiveObject>;
  readonly row: (id: string) => JsonObject | undefined;
}

/** The objects of one kind in one scope. */
interface AssembledList {
  readonly rows: readonly (readonly JsonObject[])[];
  readonly list: LiveList;
  readonly byId: ReadonlyMap<string, LiveObject>;
  readonly byRow: ReadonlyMap<string, JsonObject>;
}

/** @throws ApiError if a list cannot be read completely: an unknown object is not an absent one */
export function readScope(session: ReadSession, declared: DeclaredResource): Promise<ScopeRead> {
  const { kind, values } = declared;
  return readKinds(session, withSiblings(kind.name), declared, { isFull: needsFullList(kind, values) });
}

/** Does the same without the siblings of the kind. @throws ApiError if the list cannot be read completely */
export function readOwnList(session: ReadSession, declared: DeclaredResource): Promise<ScopeRead> {
  return readKinds(session, [declared.kind.name], declared, { isFull: false });
}

/** The scope of a resource, which is always known, and the service itself. */
export function scopesOf({ scope, path }: Pick<DeclaredResource, "scope" | "path">): LiveWorld["scopes"] {
  return new Map([
    ["", { status: "known", path: {} }],
    [scope, { status: "known", path }],
  ]);
}

async function readKinds(
  session: ReadSession,
  names: readonly KindName[],
  declared: DeclaredResource,
  { isFull }: { readonly isFull: boolean },
): Promise<ScopeRead> {
  const parts = await Promise.all(
    names.map(async (name) => ({
      name,
      ...(await assembleList(session, { ...declared, kind: kinds[name] }, { isFull })),
    })),
  );
  const [own] = parts;
  return {
    world: {
      scopes: scopesOf(declared),
      lists: new Map(parts.map(({ name, list }) => [listKey(declared.scope, name), list])),
    },
    objects: parts.flatMap(({ list }) => list.objects),
    byId:
      parts.length === 1 && own !== undefined ? own.byId : new Map(parts.toReversed().flatMap(({ byId }) => [...byId])),
    row: (id) => parts.map(({ byRow }) => byRow.get(id)).find((row) => row !== undefined),
  };
}

/**
 * Does the same, and reads the object of one resource by its id if no list shows it. Lists may lag behind a create, and
 * the state must not lose the object because of that. They may also leave out what the key's user may not see.
 *
 * @throws ApiError if a list, or the object that no list shows, cannot be read
 */
export async function readScopeWith(session: ReadSession, declared: DeclaredResource, id: string): Promise<ScopeRead> {
  const live = await readScope(session, declared);
  if (live.byId.has(id.toLowerCase())) return live;
  const { kind, scope, path } = declared;
  const named = { kind: kind.name, scope, id };
  const row = await session.readObject(named, path);
  if (row === undefined) return live;
  const object = rowToObject(named, path, row);
  if (object === undefined) throw new Error(`a read of the ${kind.name} ${id} shows another object`);
  return {
    world: { ...live.world, lists: withObject(live.world.lists, object) },
    objects: [...live.objects, object],
    byId: new Map([...live.byId, [id.toLowerCase(), object]]),
    row: (other) => (other === id ? row : live.row(other)),
  };
}

/** The organizations that the key sees. @throws ApiError if their list cannot be read completely */
export function listOrganizations(session: ReadSession): Promise<AssembledList> {
  return assembleList(session, { kind: kinds.organization, scope: "", path: {} }, { isFull: false });
}

/**
 * Adds the organizations, which show the level of the key's own user, if a list of the kind may lack what the user may not see. A key
 * that may not read them can still write people: without the level, everybody may be its user, and the plan refuses to lower anybody
 * until `self` is set.
 */
export async function withOrganizations(session: ReadSession, kind: Kind, live: ScopeRead): Promise<LiveWorld> {
  if (!isPerson(kind.name)) return live.world;
  try {
    const { list } = await listOrganizations(session);
    const lists = new Map([...live.world.lists, [listKey("", "organization" satisfies KindName), list]]);
    return { ...live.world, lists };
  } catch (error) {
    if (error instanceof ApiError && error.kind === "scope") return live.world;
    throw error;
  }
}

/** @throws Error if the key's user may not see all objects of the kind: one that the list lacks may exist */
export async function requireWholeList(
  session: ReadSession,
  { kind, scope }: DeclaredResource,
  live: ScopeRead,
): Promise<void> {
  const gap = gapAt(await withOrganizations(session, kind, live), scope, kind.name);
  if (gap !== undefined) throw new Error(`it is not known whether the ${kind.name} exists: ${gap}`);
}

/** The lists that were made of rows, by the rows of their first list, so that a refresh of N objects makes them once. */
const made = new WeakMap<readonly JsonObject[], Map<string, AssembledList>>();

async function assembleList(
  { lists }: ReadSession,
  { kind: { name: kind }, scope, path }: Pick<DeclaredResource, "kind" | "scope" | "path">,
  { isFull }: { readonly isFull: boolean },
): Promise<AssembledList> {
  const rows = await readWhole(lists, listRequests({ scope, kind, isFull, path }));
  const all = Object.values(rows);
  const [first = []] = all;
  const known = made.get(first) ?? new Map<string, AssembledList>();
  made.set(first, known);
  const key = listKey(scope, kind);
  const before = known.get(key);
  if (before !== undefined && before.rows.every((one, index) => one === all[index])) return before;
  const listed = assembled(kind, { scope, path, rows });
  const present = listed.objects.filter((one) => one.state !== "placeholder");
  const list: AssembledList = {
    rows: all,
    list: { status: "known", ...listed },
    byId: new Map(present.map((one) => [one.id.toLowerCase(), one])),
    byRow: new Map(all.flat().flatMap((row) => rowIds(row).map((id): [string, JsonObject] => [id, row]))),
  };
  known.set(key, list);
  return list;
}
