/**
 * The rows of the service's lists, read once for all resources of a run.
 *
 * Premise: one process serves a whole run of the engine, and another run is another process. So what was read stays true but
 * for what this process writes itself, and every write comes past here.
 */
import type { Client } from "../../api/client.ts";
import type { OperationName } from "../../api/operations/index.ts";
import { idsOf } from "../properties/outs.ts";
import type { Kind } from "../../kinds/kind.ts";
import { allKinds, kinds } from "../../kinds/registry.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";

export interface ListCache {
  /** The proven list; whoever asks while it is being read waits for the same answer. */
  readonly read: (
    operation: OperationName,
    path: Readonly<Record<string, string>>,
    full: boolean,
  ) => Promise<readonly JsonObject[]>;
  /** Takes note of a write and of what came of it. */
  readonly wrote: (operation: string, path: Readonly<Record<string, string>>, answer: WriteResult) => void;
  /** Forgets everything: what was read turned out not to be true any more. */
  readonly drop: () => void;
}

/** What came of a write: the body of its answer, or that it may or may not have taken effect. */
type WriteResult = { readonly body: Json | undefined } | "unclear";

interface Entry {
  readonly family: string;
  readonly path: Readonly<Record<string, string>>;
  rows: Promise<readonly JsonObject[]>;
}

export function createListCache(client: () => Pick<Client, "list">): ListCache {
  const entries = new Map<string, Entry>();
  return {
    read: (operation, path, full) => {
      const key = JSON.stringify([operation, path, full]);
      const found = entries.get(key);
      if (found !== undefined) return found.rows;
      const rows = client()
        .list(operation, path, full ? { basic: false } : undefined)
        .then((list) => list.rows);
      entries.set(key, { family: familyOf(operation), path, rows });
      // A failure is told to all who wait, and not kept.
      rows.catch(() => entries.delete(key));
      return rows;
    },
    wrote: (operation, path, answer) => {
      for (const [key, entry] of entries) {
        const isElsewhere = Object.entries(entry.path).some(
          ([name, id]) => path[name] !== undefined && path[name] !== id,
        );
        if (isElsewhere || !overlaps(operation, entry.family)) continue;
        const after = entry.family === familyOf(operation) ? changed(operation, path, answer) : undefined;
        if (after === undefined) entries.delete(key);
        else entry.rows = entry.rows.then(after);
      }
    },
    drop: () => entries.clear(),
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
  const isSibling = kind.siblings.some((name) => familiesOf(kinds[name]).includes(family));
  return isSibling && !operation.endsWith(".create");
}

/** The family of operations of a kind, in each scope that may hold it. */
function familiesOf(kind: Kind): readonly string[] {
  return kind.scopes.flatMap((scope) => kind.lists(scope)[0] ?? []).map(familyOf);
}

type Rows = readonly JsonObject[];

/** What a write makes of its family's list; undefined where only reading it again tells. */
function changed(
  operation: string,
  path: Readonly<Record<string, string>>,
  answer: WriteResult,
): ((rows: Rows) => Rows) | undefined {
  if (answer === "unclear") return undefined;
  const { body } = answer;
  if (operation.endsWith(".delete")) {
    const id = path["id"] ?? path["user__uuid"] ?? "";
    return (rows) => rows.filter((row) => !idsOf(row).includes(id));
  }
  if (!isJsonObject(body) || body["id"] === undefined) return undefined;
  return (rows) => [...rows.filter((row) => row["id"] !== body["id"]), body];
}

function familyOf(operation: string): string {
  return operation.split(".")[0] ?? "";
}
