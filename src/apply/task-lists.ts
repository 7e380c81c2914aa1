import type { Answer, Query } from "../api/client.ts";
import { listBeside, type OperationName } from "../api/operations/index.ts";
import type { Kind, Rows } from "../kinds/kind.ts";
import { listedObjects } from "../kinds/listed-objects.ts";
import { kinds, scopeType, withSiblings } from "../kinds/registry.ts";
import { isJsonObject, type Json } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import { listKey, type LiveObject, type ScopePath } from "../model/live.ts";
import { progressOf, type ApplyRun } from "./run-state.ts";

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

  /** Reads one page of a list. @throws ApiError */
  page(operation: OperationName, query: Query): Promise<Answer> {
    return this.#run.context.client.request(operation, { path: this.#target.path, query, onRequest: this.#count });
  }

  /** Like `own`, with the lists of sibling kinds, because the service moves objects among them on its own. */
  shared(): Promise<readonly LiveObject[]> {
    return this.#withSiblings((lists) => this.#run.coalesce(lists.#key, () => lists.own()));
  }

  /** The same, while other changes go on. Not for what waits outside of the pool already, as a look does. */
  all(): Promise<readonly LiveObject[]> {
    return this.#run.pool.outside(() => this.shared());
  }

  /** Shares what is read of the newest objects of the list with the changes that need it at the same time. */
  shareNewest(read: () => Promise<readonly LiveObject[]>): Promise<readonly LiveObject[]> {
    return this.#run.coalesce(`newest ${this.#key}`, read);
  }

  /** Like `all`, but as the lists were when the run first read them, under its lock: one read for all creates. */
  first(): Promise<readonly LiveObject[]> {
    const { firstLists } = this.#run;
    return this.#withSiblings((lists) => {
      const list = firstLists.get(lists.#key) ?? lists.own();
      firstLists.set(lists.#key, list);
      // A list that failed is read again for the next create.
      list.catch(() => firstLists.delete(lists.#key));
      return list;
    });
  }

  /** What exists right before a create. @param newest reads what is newer than the lists of the plan */
  async beforeCreate(newest: () => Promise<readonly LiveObject[]>): Promise<readonly LiveObject[]> {
    const { otherRuns, world } = this.#run.context;
    if (otherRuns === "look after") return this.first();
    const objects = await otherRuns(this.#key, newest);
    const ids = new Set(objects.map(({ id }) => id));
    const { scope, kind } = this.#target;
    return [...listedObjects(world, scope, kind.name).filter(({ id }) => !ids.has(id)), ...objects];
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

  readonly #count = (): void => void (progressOf(this.#run, this.#target.address).requests += 1);

  async #withSiblings(read: (lists: TaskLists) => Promise<readonly LiveObject[]>): Promise<readonly LiveObject[]> {
    const asKind = (name: KindName): TaskLists => new TaskLists(this.#run, { ...this.#target, kind: kinds[name] });
    const names = withSiblings(this.#target.kind.name).toReversed();
    const lists = await Promise.all(names.map((name) => read(asKind(name))));
    // An object that several lists show counts once, as the own kind shows it: that list comes last.
    return [...new Map(lists.flat().map((live) => [live.id, live])).values()];
  }
}
