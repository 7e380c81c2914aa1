/**
 * Reads each list of the service once for all resources of a run.
 *
 * Premise: one process serves one whole run of the engine. So a list stays true except for the writes of this process,
 * and each of these is recorded here.
 */
import type { LiveList, LiveObject } from "../../model/live.ts";
import type { Client } from "../../api/client.ts";
import { familyOf, type OperationName } from "../../api/operations/index.ts";
import { FULL_VIEW } from "../../api/operations/server-quirks.ts";
import { rowIds } from "../properties/outputs.ts";
import type { Kind } from "../../kinds/kind.ts";
import { allKinds, kinds } from "../../kinds/registry.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";

export interface ListCache {
  /** Returns a list that was proven complete. Calls for the same list share one read. */
  readonly read: (
    operation: OperationName,
    path: Readonly<Record<string, string>>,
    full: boolean,
  ) => Promise<readonly JsonObject[]>;
  readonly recordWrite: (operation: string, path: Readonly<Record<string, string>>, answer: WriteResult) => void;
  /** Forgets all lists, because one of them turned out to be out of date. */
  readonly clear: () => void;
}

/** The result of a write: the body of its answer, or "unclear" if it may or may not have taken effect. */
type WriteResult = { readonly body: Json | undefined } | "unclear";

interface CachedList {
  readonly family: string;
  readonly path: Readonly<Record<string, string>>;
  rows: Promise<readonly JsonObject[]>;
}

export function createListCache(client: Pick<Client, "list">): ListCache {
  const entries = new Map<string, CachedList>();
  return {
    read: (operation, path, full) => {
      const key = JSON.stringify([operation, path, full]);
      const found = entries.get(key);
      if (found !== undefined) return found.rows;
      const rows = client.list(operation, path, full ? FULL_VIEW : undefined).then((list) => list.rows);
      entries.set(key, { family: familyOf(operation), path, rows });
      // All calls that wait for the list get the error. The next call reads it again.
      rows.catch(() => entries.delete(key));
      return rows;
    },
    recordWrite: (operation, path, answer) => {
      for (const [key, entry] of entries) {
        const isElsewhere = Object.entries(entry.path).some(
          ([name, id]) => path[name] !== undefined && path[name] !== id,
        );
        if (isElsewhere || !overlaps(operation, entry.family)) continue;
        const after = entry.family === familyOf(operation) ? listAfterWrite(operation, path, answer) : undefined;
        if (after === undefined) entries.delete(key);
        else entry.rows = entry.rows.then(after);
      }
    },
    clear: () => entries.clear(),
  };
}

/** Whether a write may change what a family's lists show. */
function overlaps(operation: string, family: string): boolean {
  const own = familyOf(operation);
  if (own === family) return true;
  const kind = allKinds.find((one) => familiesOf(one).includes(own));
  if (kind === undefined) return false;
  // A kind that is declared in several scopes has a list in each, and all of them show the same objects.
  if (familiesOf(kind).includes(family)) return true;
  const isSibling = kind.identity.siblings.some((name) => familiesOf(kinds[name]).includes(family));
  return isSibling && !operation.endsWith(".create");
}

/** The family of operations of a kind, in each scope that may hold it. */
function familiesOf(kind: Kind): readonly string[] {
  return kind.scopes.flatMap((scope) => kind.lists.operations(scope)[0] ?? []).map(familyOf);
}

type Rows = readonly JsonObject[];

/** Returns how a write changes the list of its family. Returns undefined if the list has to be read again. */
function listAfterWrite(
  operation: string,
  path: Readonly<Record<string, string>>,
  answer: WriteResult,
): ((rows: Rows) => Rows) | undefined {
  if (answer === "unclear") return undefined;
  const { body } = answer;
  if (operation.endsWith(".delete")) {
    const id = path["id"] ?? path["user__uuid"] ?? "";
    return (rows) => rows.filter((row) => !rowIds(row).includes(id));
  }
  if (!isJsonObject(body) || body["id"] === undefined) return undefined;
  return (rows) => [...rows.filter((row) => row["id"] !== body["id"]), body];
}

/** Lists of objects by the rows that they were made of, so that a refresh of N objects makes them once. */
export type Assemblies = WeakMap<readonly JsonObject[], Map<string, AssembledList>>;

export interface AssembledList {
  readonly rows: readonly (readonly JsonObject[])[];
  readonly list: LiveList;
  readonly byId: ReadonlyMap<string, LiveObject>;
  readonly byRow: ReadonlyMap<string, JsonObject>;
}
