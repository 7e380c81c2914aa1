/**
 * Whole lists of the service, each read once: for the kinds that a plan needs at once, or for all resources of a process of Pulumi.
 *
 * Premise: a list stays true as long as a run lasts, except for the writes of this process, and each of these is recorded here.
 */
import type { Client, Query } from "../api/client.ts";
import type { List } from "../api/lists/read-list.ts";
import { familyOf, idParameter, type OperationName, operations } from "../api/operations/index.ts";
import type { Kind } from "../kinds/kind.ts";
import { scopesOfKind, allKinds, kinds, withSiblings } from "../kinds/registry.ts";
import { rowIds } from "../kinds/rows.ts";
import { isJsonObject, type Json, type JsonObject } from "../model/json/json.ts";
import type { ScopePath } from "../model/live.ts";

export interface ListMemo {
  /** Returns a list that was proven complete. Calls for the same list share one read. @throws ApiError */
  readonly list: (operation: OperationName, path: ScopePath, query?: Query) => Promise<List>;
  /** Takes a write of this process in. */
  readonly recordWrite: (operation: OperationName, path: ScopePath, answer: WriteResult) => void;
  /** Forgets all lists, because one of them turned out to be out of date. */
  readonly forget: () => void;
}

/** The result of a write: the body of its answer, or "unclear" if it may or may not have taken effect. */
type WriteResult = { readonly body: Json | undefined } | "unclear";

interface KnownList {
  readonly family: string;
  readonly path: ScopePath;
  readonly list: Promise<List>;
}

export function createListMemo(client: Pick<Client, "list">): ListMemo {
  const entries = new Map<string, KnownList>();
  const keep = (key: string, entry: KnownList): void => {
    entries.set(key, entry);
    // All calls that wait for the list get the error. The next call reads it again.
    entry.list.catch(() => entries.get(key) === entry && entries.delete(key));
  };
  return {
    list: (operation, path, query) => {
      const key = JSON.stringify([operation, path, query]);
      const found = entries.get(key);
      if (found !== undefined) return found.list;
      const list = client.list(operation, path, query);
      keep(key, { family: familyOf(operation), path, list });
      return list;
    },
    recordWrite: (operation, path, answer) => {
      for (const [key, entry] of entries) {
        const isElsewhere = Object.entries(entry.path).some(
          ([name, id]) => path[name] !== undefined && path[name] !== id,
        );
        if (isElsewhere || !mayChange(operation, entry.family)) continue;
        const after = entry.family === familyOf(operation) ? listAfterWrite(operation, path, answer) : undefined;
        if (after === undefined) entries.delete(key);
        else keep(key, { ...entry, list: entry.list.then((list) => ({ ...list, rows: after(list.rows) })) });
      }
    },
    forget: () => entries.clear(),
  };
}

/** Whether a write may change what a family's lists show. */
function mayChange(operation: OperationName, family: string): boolean {
  const own = familyOf(operation);
  if (own === family) return true;
  const kind = allKinds.find((one) => familiesOf(one).includes(own));
  if (kind === undefined) return false;
  // A kind that is declared in several scopes has a list in each, and all of them show the same objects.
  if (familiesOf(kind).includes(family)) return true;
  const isSibling = withSiblings(kind.name).some((name) => familiesOf(kinds[name]).includes(family));
  return isSibling && operations[operation].effect !== "create";
}

/** The family of operations of a kind, in each scope that may hold it. */
function familiesOf(kind: Kind): readonly string[] {
  return scopesOfKind(kind.name)
    .flatMap((scope) => kind.lists.operations(scope)[0] ?? [])
    .map(familyOf);
}

type Rows = readonly JsonObject[];

/** Returns how a write changes the list of its family. Returns undefined if the list has to be read again. */
function listAfterWrite(
  operation: OperationName,
  path: ScopePath,
  answer: WriteResult,
): ((rows: Rows) => Rows) | undefined {
  if (answer === "unclear") return undefined;
  const { body } = answer;
  if (operations[operation].method === "DELETE") {
    const id = path[idParameter(operation)] ?? "";
    return (rows) => rows.filter((row) => !rowIds(row).includes(id));
  }
  if (!isJsonObject(body) || body["id"] === undefined) return undefined;
  return (rows) => [...rows.filter((row) => row["id"] !== body["id"]), body];
}
