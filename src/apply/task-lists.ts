import type { Query } from "../api/client.ts";
import { ApiError, mayRejectQuery } from "../api/errors/errors.ts";
import { originOf } from "../api/errors/from-response.ts";
import { type Page, toPage } from "../api/lists/page.ts";
import { PAGE_SIZE } from "../api/lists/read-list.ts";
import { pagesAfter } from "../api/lists/stream-pages.ts";
import { listBeside, listQueryFor, operations } from "../api/operations/index.ts";
import { asText } from "../kinds/keys.ts";
import type { Kind, Rows } from "../kinds/kind.ts";
import { listedObjects } from "../kinds/listed-objects.ts";
import { kinds, scopeType, withSiblings } from "../kinds/registry.ts";
import { isJsonObject, type Json, type JsonObject } from "../model/json/json.ts";
import type { KindName } from "../model/kind-name.ts";
import { listKey, type LiveObject, type ScopePath } from "../model/live.ts";
import { progressOf, type ApplyRun } from "./run-state.ts";

/**
 * How many known rows in a row end the reading of the newest ones. Numbers are given before a row is visible: one that was seen may hide
 * lower ones that many runs are still creating.
 */
const KNOWN_AT_END = 100;

/** What a task is about: one change, the kind whose routes it uses, and the scope, whose ids are known by now. */
export interface TaskTarget {
  /** Address of the change. */
  readonly address: string;
  readonly kind: Kind;
  /** Address of the scope. */
  readonly scope: string;
  /** Ids of the scope. */
  readonly path: ScopePath;
}

/** Reads the lists of the kind of a task in its scope. Each request is counted for the change. */
export class TaskLists {
  readonly #run: ApplyRun;
  readonly #target: TaskTarget;
  readonly #key: string;

  constructor(run: ApplyRun, target: TaskTarget) {
    this.#run = run;
    this.#target = target;
    this.#key = listKey(target.scope, target.kind.name);
  }

  /** Reads the list of the kind as it is now. @throws ApiError unless the list is complete */
  async own(query?: Query): Promise<readonly LiveObject[]> {
    const { kind, scope, path } = this.#target;
    const rows = await Promise.all(
      kind.lists.operations(scopeType(scope)).map(async (operation) => {
        const list = await this.#run.context.client.list(operation, path, query, this.#count);
        return [operation, list.rows] as const;
      }),
    );
    return this.assemble(Object.fromEntries(rows));
  }

  /** Like `own`, with the lists of sibling kinds, because the service moves objects among them on its own. */
  shared(): Promise<readonly LiveObject[]> {
    return this.#withSiblings((lists) => this.#run.coalesce(lists.#key, () => lists.own()));
  }

  /** The same, while other changes go on. Not for what waits outside of the pool already, as a look does. */
  all(): Promise<readonly LiveObject[]> {
    return this.#run.pool.outside(() => this.shared());
  }

  /**
   * Like `shared`, but where the service sorts, only what is newer than the lists of the plan is read, from the newest on.
   *
   * @throws ApiError
   */
  newest(): Promise<readonly LiveObject[]> {
    return this.#run.coalesce(`newest ${this.#key}`, async () => (await this.#readNewest()) ?? this.shared());
  }

  /** Like `all`, but as the lists were when the run first read them, under its lock: one read for all creates. */
  first(): Promise<readonly LiveObject[]> {
    return this.#withSiblings((lists) => this.#run.firstList(lists.#key, () => lists.own()));
  }

  /** The objects that the plan saw, sibling kinds included. */
  planned(): readonly LiveObject[] {
    return listedObjects(this.#run.context.world, this.#target.scope, this.#target.kind.name);
  }

  /** Makes objects of rows of the kind's lists. */
  assemble(rows: Rows): readonly LiveObject[] {
    const { kind, scope, path } = this.#target;
    return kind.lists.assemble({ scope, path, rows });
  }

  /** Returns the object in the answer of an operation, undefined if the answer holds none. */
  parse(operation: string, body: Json | undefined): LiveObject | undefined {
    const list = listBeside(operation);
    return isJsonObject(body) ? this.assemble({ [list]: [body] })[0] : undefined;
  }

  /** Undefined if the service does not sort the list, or rows may be missing because it changed between two pages. */
  async #readNewest(): Promise<readonly LiveObject[] | undefined> {
    const { client } = this.#run.context;
    const { kind, scope, path } = this.#target;
    const [operation, ...others] = kind.lists.operations(scopeType(scope));
    if (operation === undefined || others.length > 0) return undefined;
    const { order, ...query } = listQueryFor(client.profile, operation);
    if (typeof order !== "string") return undefined;
    const origin = originOf(operations[operation]);
    const read = async (offset: number, limit = PAGE_SIZE): Promise<Page> => {
      const page = { ...query, order: `-${order}`, limit, offset };
      return toPage(origin, await client.request(operation, { path, query: page, onRequest: this.#count }), offset);
    };
    try {
      const known = new Set(this.planned().map(({ id }) => id));
      const rows = await rowsUntilKnown(pagesAfter(origin, await read(0), read), order, known);
      return rows && this.assemble({ [operation]: rows });
    } catch (error) {
      if (mayRejectQuery(error) || (error instanceof ApiError && error.kind === "incomplete")) return undefined;
      throw error;
    }
  }

  readonly #count = (): void => void (progressOf(this.#run, this.#target.address).requests += 1);

  async #withSiblings(read: (lists: TaskLists) => Promise<readonly LiveObject[]>): Promise<readonly LiveObject[]> {
    const asKind = (name: KindName): TaskLists => new TaskLists(this.#run, { ...this.#target, kind: kinds[name] });
    const names = withSiblings(this.#target.kind.name).toReversed();
    const lists = await Promise.all(names.map((name) => read(asKind(name))));
    // An object that several lists show counts once, as the own kind shows it: that list comes last.
    return [...new Map(lists.flat().map((live) => [live.id, live])).values()];
  }
}

/** Undefined if the rows are not sorted, the highest first. */
async function rowsUntilKnown(
  pages: AsyncIterable<Page>,
  order: string,
  known: ReadonlySet<string>,
): Promise<readonly JsonObject[] | undefined> {
  const rows: JsonObject[] = [];
  for await (const page of pages) {
    rows.push(...page.rows);
    if (rows.length >= page.count) continue;
    if (!isDescending(rows, order)) return undefined;
    const last = rows.slice(-KNOWN_AT_END);
    if (last.length === KNOWN_AT_END && last.every(({ id }) => known.has(asText(id) ?? ""))) return rows;
  }
  return rows;
}

function isDescending(rows: readonly JsonObject[], order: string): boolean {
  return rows.every((row, index) => index === 0 || Number(row[order]) < Number(rows[index - 1]?.[order]));
}
