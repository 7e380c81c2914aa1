/**
 * What a plan knows of the service, and what it may ask of it.
 *
 * A plan is made without I/O. What it lacks it names as reads. The engine reads them, and has the plan made again, until nothing is
 * missing (src/world/until-known.ts). Each read is made once for a plan, and any answer ends the need.
 */
import type { OperationName } from "./all-operations.ts";
import type { JsonObject } from "../model/json/json.ts";
import { type LiveList, type LiveWorld, type PlannedRead, type ScopePath } from "../model/live.ts";
import type { KindName } from "../model/kind-name.ts";

/** The objects of a kind in a scope, or the rows of an operation. */
export type Read = ListRead | RowsRead;

/** The objects of a kind in a scope, from lists that are proven complete. */
export interface ListRead extends PlannedRead {
  readonly what: "objects";
  /** The ids of the scope. */
  readonly path: ScopePath;
  /** Set if these ids are declared, so that they may be mistyped. */
  readonly hasGivenIds?: boolean;
  /** Of organizations: set if those in `pins` are not all that is needed, so that a refused list is an error. */
  readonly needsList?: boolean;
}

/** `rows`: all rows of a list of the service, proven complete. `row`: the one that an operation answers. */
export interface RowsRead {
  readonly what: "rows" | "row";
  readonly operation: OperationName;
  readonly path: ScopePath;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * The result of a read of rows. `absent`: the service answers that there is no such row. Only a complete list proves that an object does
 * not exist.
 */
export type RowsAnswer =
  | { readonly status: "known"; readonly rows: readonly JsonObject[] }
  | { readonly status: "unknown"; readonly reason: string }
  | { readonly status: "absent" };

/** The scopes and lists of a plan, and the answers to all its reads. */
export interface World extends LiveWorld {
  readonly answers: {
    /** By {@link readKey}. */
    readonly lists: ReadonlyMap<string, LiveList>;
    /** By {@link readKey}. */
    readonly rows: ReadonlyMap<string, RowsAnswer>;
    /** How each list was read. */
    readonly stats: readonly ListReadStats[];
  };
}

/** How a list was read. */
export interface ListReadStats {
  readonly scope: string;
  readonly operation: OperationName;
  /** The kinds that needed the list. */
  readonly kinds: readonly KindName[];
  readonly pages: number;
  readonly rows: number;
  /** Whether objects that no resource can match were reduced to their identity. */
  readonly isTrimmed: boolean;
}

/** A plan, or a part of one, and what it has to read. It is not final before all of that is read. */
export interface Needing {
  readonly needs: readonly Read[];
}

const NOTHING: LiveWorld = { scopes: new Map([["", { status: "known", path: {} }]]), lists: new Map() };

/** The world at the start of a plan: it has these scopes and lists, and no other answers. */
export function worldOf(world: LiveWorld = NOTHING): World {
  return { ...world, answers: { lists: new Map(), rows: new Map(), stats: [] } };
}

/** Two reads with one key have one answer. */
export function readKey(read: Read): string {
  if (read.what !== "objects") return JSON.stringify([read.what, read.operation, read.path, read.query]);
  const { kind, scope, path, isFull, lookupKeys, ids, pins } = read;
  return JSON.stringify([kind, scope, path, isFull, lookupKeys === undefined, ids, pins]);
}

/** The reads of a list that nothing has answered yet, each once. */
export function unansweredReads({ answers: { lists, rows } }: World, needs: readonly Read[]): readonly Read[] {
  const unique = new Map(needs.map((read) => [readKey(read), read]));
  return [...unique].flatMap(([key, read]) => (lists.has(key) || rows.has(key) ? [] : [read]));
}

/** These reads, in the scopes that exist. */
export function listReads({ scopes }: Pick<LiveWorld, "scopes">, reads: readonly PlannedRead[]): readonly ListRead[] {
  return reads.flatMap((read) => {
    const scope = scopes.get(read.scope);
    return scope?.status === "known" ? [{ ...read, what: "objects", path: scope.path }] : [];
  });
}

/** The read of a list with all objects and values, in a scope that exists; none in another one. */
export function wholeList(
  world: Pick<LiveWorld, "scopes">,
  { scope, kind }: Pick<PlannedRead, "scope" | "kind">,
): readonly ListRead[] {
  return listReads(world, [{ scope, kind, isFull: false }]);
}

/** The answer to a read of objects; undefined if it was not read yet. */
export function listIn({ answers }: World, read: ListRead): LiveList | undefined {
  return answers.lists.get(readKey(read));
}

/** The rows of an answer; none if they could not be read. */
export function answeredRows(answer: RowsAnswer | undefined): readonly JsonObject[] {
  return answer?.status === "known" ? answer.rows : [];
}

/** The answer to a read of rows; undefined if it was not read yet. */
export function rowsIn({ answers }: World, read: RowsRead): RowsAnswer | undefined {
  return answers.rows.get(readKey(read));
}
