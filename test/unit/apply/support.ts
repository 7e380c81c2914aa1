import { setImmediate as nextTurn } from "node:timers/promises";
import { executePlan } from "../../../src/apply/execute-plan.ts";
import { createRun, type ApplyContext } from "../../../src/apply/run-state.ts";
import { Task } from "../../../src/apply/task.ts";
import { toCreatedObject, type CreatedObject } from "../../../src/apply/journal/recent-creates.ts";
import type { Intent, OpenIntent } from "../../../src/apply/journal/intents.ts";
import type { Journal } from "../../../src/apply/journal/journal.ts";
import type { Answer, Client, Clock } from "../../../src/api/client.ts";
import { ApiError, type ApiErrorFields } from "../../../src/api/errors/errors.ts";
import { operations, type OperationName } from "../../../src/api/operations/index.ts";
import { collectionOf, kinds, scopeType, withSiblings } from "../../../src/kinds/registry.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Json, JsonObject, ValueObject } from "../../../src/model/json/json.ts";
import { type KindName } from "../../../src/model/kind-name.ts";
import { listKey, type LiveObject, type LiveScope } from "../../../src/model/live.ts";
import type { Outcome, Wait } from "../../../src/model/outcome.ts";
import type { Lifecycle, Resource } from "../../../src/model/resource.ts";
import { createChange } from "../../../src/plan/make-change.ts";
import { decide } from "../../../src/plan/decide.ts";

export const ORGANIZATION = "0190aa11-0000-4000-8000-00000000000a";
export const URL_OF_FAKE = "https://service.example";

/** A clock that moves only during a sleep. `slept` lists every wait. Too many waits throw an error. */
export function fakeClock(): Clock & { readonly slept: number[]; time: number } {
  const clock = {
    time: 1_700_000_000_000,
    slept: [] as number[],
    now: () => clock.time,
    random: () => 0,
    sleep: async (ms: number) => {
      if (clock.slept.push(ms) > 2_000) throw new Error("it waits for ever");
      clock.time += Math.max(0, ms);
      await nextTurn();
    },
  };
  return clock;
}

/** A journal in memory; `records` has everything that was written to it, in order. */
export function fakeJournal(
  open: readonly OpenIntent[] = [],
): Journal & { readonly records: string[]; readonly made: CreatedObject[] } {
  const intents = new Map(open.map((intent) => [intent.id, intent]));
  const records: string[] = [];
  const made: CreatedObject[] = [];
  return {
    records,
    made,
    created: () => made,
    open: () => [...intents.values()],
    begin: async (intent: Intent) => {
      const record = { ...intent, id: `intent-${String(records.length)}` };
      records.push(`begin ${intent.key}`);
      intents.set(record.id, record);
      return Promise.resolve(record);
    },
    answered: (id, objectId, created) => {
      const intent = intents.get(id);
      if (intent !== undefined) intents.set(id, { ...intent, made: objectId, created });
      return Promise.resolve();
    },
    close: async (id, outcome) => {
      records.push(`settle ${outcome ?? "not created"}`);
      const intent = intents.get(id);
      if (intent !== undefined && outcome !== null) made.push(toCreatedObject(intent, outcome));
      intents.delete(id);
      return Promise.resolve();
    },
    release: () => Promise.resolve(),
  };
}

export function intentOf(fields: Partial<OpenIntent>): OpenIntent {
  const common = { url: URL_OF_FAKE, kind: "domain", scope: { organization_id: ORGANIZATION }, key: "a.com" };
  return { ...common, id: "earlier", payload: "sha256:0", known: [], at: 1_700_000_000_000, ...fields };
}

export function apiError(operation: string, fields: Partial<ApiErrorFields>): ApiError {
  const { method } = operations[operation as OperationName];
  const common = { kind: "server", status: 503, code: null, attr: null, hint: "hint", tookEffect: "maybe" } as const;
  return new ApiError({ ...common, operation, method, path: "/", message: `${operation} failed`, ...fields });
}

export const lost = (operation: string): ApiError => apiError(operation, { kind: "network", status: null });

/** What is in place of the service for the next request of an operation: it may throw, or pass on to `serve`. */
type Handler = (
  serve: () => Answer,
  input: { readonly path: JsonObject; readonly body: JsonObject },
) => Answer | Promise<Answer>;

export interface FakeService {
  readonly client: Client;
  /** Rows by family, such as `domains`. */
  readonly rows: Map<string, JsonObject[]>;
  /** Every request, in order: its operation, and the id of the object. */
  readonly log: string[];
  /** Handlers are used up one by one, then requests are served. `"always"` stays. */
  readonly on: (operation: string, ...handlers: (Handler | "always")[]) => void;
  readonly add: (family: string, row: JsonObject) => JsonObject;
  /** The next read of these lists is not counted, logged or handled: the look before the first create of a kind. */
  readonly quiet: Set<string>;
}

/** A service in memory, without a socket: enough of every family for apply. */
export function fakeService(): FakeService {
  const rows = new Map<string, JsonObject[]>();
  const log: string[] = [];
  const handlers = new Map<string, Handler[]>();
  const always = new Set<string>();
  const quiet = new Set<string>();
  let count = 0;
  const of = (family: string): JsonObject[] => rows.get(family) ?? [];
  const add = (family: string, row: JsonObject): JsonObject => {
    const made = { id: `${family}-${String((count += 1))}`, ...row };
    rows.set(family, [...of(family), made]);
    return made;
  };
  const next = (operation: string): Handler | undefined => {
    const queue = handlers.get(operation) ?? [];
    return always.has(operation) ? queue[0] : queue.shift();
  };
  const serve = (operation: string, id: string, body: JsonObject): Answer => {
    const [family = "", verb] = operation.split(".");
    if (verb === "create") return { status: 201, body: add(family, body) };
    const isIt = (row: JsonObject): boolean =>
      row["id"] === id || (row["user"] as JsonObject | undefined)?.["uuid"] === id;
    const found = of(family).find(isIt);
    if (found === undefined) throw apiError(operation, { kind: "not_found", status: 404, tookEffect: "no" });
    const moved: JsonObject = verb === "pause" ? { paused: true } : verb === "unpause" ? { paused: false } : body;
    const changed = { ...found, ...moved };
    const others = of(family).filter((row) => !isIt(row));
    if (verb === "delete") return rows.set(family, others) && { status: 204, body: undefined };
    if (verb !== "get") rows.set(family, [...others, changed]);
    if (verb === "get" && found["deleted"] === true)
      throw apiError(operation, { kind: "not_found", status: 404, tookEffect: "no" });
    return { status: 200, body: changed };
  };
  const shownOf = (operation: string): JsonObject[] =>
    of(operation.split(".")[0] ?? "").filter((row) => row["deleted"] !== true);
  const client: Client = {
    url: URL_OF_FAKE,
    profile: "document",
    keyHashEnd: "a1b2",
    request: async (operation, { path = {}, body, onRequest } = {}) => {
      onRequest?.();
      const id = path["id"] ?? path["user__uuid"] ?? "";
      log.push(id === "" || operation.endsWith(".create") ? operation : `${operation} ${id}`);
      await Promise.resolve();
      const content = (body ?? {}) as JsonObject;
      const pass = (): Answer => serve(operation, id, content);
      const handler = next(operation);
      return handler === undefined ? pass() : handler(pass, { path, body: content });
    },
    list: async (operation, _path, _query, onRequest) => {
      if (quiet.delete(operation)) return { rows: shownOf(operation), pages: 1 };
      onRequest?.();
      log.push(operation);
      await Promise.resolve();
      const page = (): Answer => ({ status: 200, body: shownOf(operation) });
      const { body } = (await next(operation)?.(page, { path: {}, body: {} })) ?? page();
      return { rows: body as unknown as JsonObject[], pages: 1 };
    },
    listReduced: () => Promise.reject(new Error("applying needs whole rows")),
    takeRetry: () => true,
    requests: () => log.length,
    pace: () => ({ perRequest: 0, seenLimits: { insights: undefined, queries: undefined, others: undefined } }),
    close: () => Promise.resolve(),
  };
  return {
    client,
    rows,
    log,
    add,
    quiet,
    on: (operation, ...given) => {
      if (given.includes("always")) always.add(operation);
      handlers.set(
        operation,
        given.filter((handler) => handler !== "always"),
      );
    },
  };
}

/** The request takes effect, its answer never arrives. */
export const loses =
  (operation: string): Handler =>
  (serve) => {
    serve();
    throw lost(operation);
  };

export interface World extends FakeService {
  readonly clock: ReturnType<typeof fakeClock>;
  readonly journal: ReturnType<typeof fakeJournal>;
  readonly abort: AbortController;
  /** What was said about waiting. */
  readonly waits: readonly Wait[];
  readonly scopes: Map<string, LiveScope>;
  readonly lists: Map<string, { status: "known"; objects: readonly LiveObject[] }>;
  readonly context: () => ApplyContext;
  readonly live: (kind: KindName, scope?: string) => readonly LiveObject[];
  readonly apply: (...changes: readonly Change[]) => Promise<readonly Outcome[]>;
  readonly task: (kind: KindName, scope?: string) => Task;
}

/** A fake service with one organization and one project, and everything that applying to it needs. */
export function world({
  intents = [],
  settleAfterMs = 60_000,
  otherRuns = (_list, read) => read(),
}: { intents?: readonly OpenIntent[] } & Partial<Pick<ApplyContext, "settleAfterMs" | "otherRuns">> = {}): World {
  const service = fakeService();
  const clock = fakeClock();
  const journal = fakeJournal(intents);
  const abort = new AbortController();
  const waits: Wait[] = [];
  const scopes = new Map<string, LiveScope>([
    ["", { status: "known", path: {} }],
    ["acme", { status: "known", path: { organization_id: ORGANIZATION } }],
    ["acme/projects/web", { status: "known", path: { project_id: "2" } }],
  ]);
  const lists: World["lists"] = new Map();
  const live = (name: KindName, scope = "acme"): readonly LiveObject[] => {
    const kind = kinds[name];
    const path = scopes.get(scope)?.status === "known" ? { organization_id: ORGANIZATION } : {};
    const rows = kind.lists
      .operations(scopeType(scope))
      .map((operation) => [operation, service.rows.get(operation.split(".")[0] ?? "") ?? []]);
    return kind.lists.assemble({ scope, path, rows: Object.fromEntries(rows) as Record<string, JsonObject[]> });
  };
  const context = (): ApplyContext => {
    return {
      client: service.client,
      world: { scopes, lists },
      secrets: (secret) => `value of ${secret.expression}`,
      journal,
      clock,
      signal: abort.signal,
      settleAfterMs,
      otherRuns,
      onWait: (wait) => waits.push(wait),
    };
  };
  /** The lists as a plan sees them now. */
  const look = (changes: readonly Change[]): void => {
    const given = new Set(lists.keys());
    for (const { kind, action, work } of changes) {
      for (const name of withSiblings(kind)) {
        const key = listKey(work?.scope ?? "", name);
        if (given.has(key)) continue;
        const isLookedAt = intents.length === 0 && (action === "create" || action === "replace");
        const read = isLookedAt ? kinds[name].lists.operations(scopeType(work?.scope ?? "")) : [];
        for (const list of read) service.quiet.add(list);
        lists.set(key, { status: "known", objects: live(name, work?.scope) });
      }
    }
  };
  return {
    ...service,
    clock,
    journal,
    abort,
    waits,
    scopes,
    lists,
    live,
    context,
    apply: async (...changes) => {
      look(changes);
      const summary = {} as never;
      const plan = {
        summary,
        options: { prune: false, only: [], rotate: [] },
        changes,
        unmanaged: [],
        diagnostics: [],
      };
      return executePlan(plan, context());
    },
    task: (kind, scope = "acme") =>
      new Task(createRun({ changes: [] } as never, context()), {
        address: "acme/x/one",
        kind: kinds[kind],
        scope,
        path: { organization_id: ORGANIZATION },
      }),
  };
}

export interface Declared {
  readonly scope?: string;
  readonly lifecycle?: Lifecycle;
  readonly live?: LiveObject | undefined;
  readonly name?: string;
}

export function resource(
  kind: KindName,
  values: ValueObject,
  { scope = "acme", lifecycle = {}, name }: Declared = {},
): Resource {
  const own = name ?? String(values["name"] ?? values["domain"] ?? values["target_email"] ?? "one");
  const address = scope === "" ? own : `${scope}/${collectionOf(kind)}/${own}`;
  return { address, kind, scope, name: own, values, lifecycle, position: { file: "a.yaml", line: 1, column: 1 } };
}

/** The change that the plan decides on for a declared resource and its live object. */
export function change(kind: KindName, values: ValueObject, declared: Declared = {}): Change {
  const made = resource(kind, values, declared);
  return declared.live === undefined
    ? createChange(kinds[kind], made)
    : decide({ kind: kinds[kind], resource: made, rotate: false }, declared.live);
}

/** The removal of a live object. */
export function removal(kind: KindName, values: ValueObject, live: LiveObject, scope = "acme"): Change {
  return change(kind, values, { live, scope, lifecycle: { state: "absent" } });
}

export const INSIGHTS = { scope: "acme/projects/web" } as const;
export const NO_OP: Json = { type: "NoOp", config: {} };
