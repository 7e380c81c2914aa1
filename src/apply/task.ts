import { operations } from "../api/operations/index.ts";
import type { Call, Kind } from "../kinds/kind.ts";
import { kinds } from "../kinds/registry.ts";
import { scopeType } from "../model/address.ts";
import { isJsonObject, mapSecrets, type Json, type JsonObject, type Secret } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import { listKey, type LiveObject, type ScopePath, type LiveSnapshot } from "../model/live.ts";
import type { Ownership } from "./schedule/ownership.ts";
import type { MissingScopeBreaker } from "./schedule/missing-scope-breaker.ts";
import type { Coalescer } from "./schedule/coalesce.ts";
import type { Send, Watch } from "./outcomes.ts";
import type { Answer, Client, Clock } from "../api/client.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Journal } from "./journal/journal.ts";

/** What applying needs from outside. */
export interface ApplyContext {
  readonly client: Client;
  /** What the plan was made of. */
  readonly snapshot: LiveSnapshot;
  /** The value of a secret, at the moment of sending. Throws where it cannot be had. */
  readonly secrets: (secret: Secret) => string;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Once aborted, what is in flight is finished and nothing new is begun. */
  readonly signal?: AbortSignal | undefined;
  /** How long a request of which nothing was heard may still take effect. Milliseconds. */
  readonly horizonMs: number;
  /** Given what tells the outcomes as they are at any moment, for whoever cannot wait for the end. */
  readonly onBegin?: ((soFar: () => readonly Outcome[]) => void) | undefined;
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined;
}

/** A change under way: its calls go through `call`, which counts them. */
export interface Task {
  readonly context: ApplyContext;
  readonly kind: Kind;
  /** The same task on the routes of a sibling kind, through whose list an object was seen. */
  readonly as: (kind: KindName) => Task;
  /** Address and ids of the scope; known by now, as parents come first. */
  readonly scope: string;
  readonly path: ScopePath;
  readonly call: (call: Call) => Promise<Answer>;
  /** The proven list of the kind in the scope, as it is now. */
  readonly list: () => Promise<readonly LiveObject[]>;
  /** The same with the lists of sibling kinds, among which the service moves objects on its own; an object counts once. */
  readonly listAll: () => Promise<readonly LiveObject[]>;
  /** The same as it was when the run first asked for it, under its lock: one for all changes. */
  readonly listOnce: () => Promise<readonly LiveObject[]>;
  /** The object that an answer of an operation shows; undefined where it shows none. */
  readonly read: (operation: string, body: Json | undefined) => LiveObject | undefined;
  /** Whether no other change of the run has this object: the lists of an organization show the exports of its projects too. */
  readonly isFree: (live: LiveObject) => boolean;
  /** Notes that an object is this change's. */
  readonly claim: (id: string) => void;
  /** Waits for so many milliseconds, or an interruption, while other changes go on. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Why a change did not end as applied. */
export class ChangeError extends Error {
  readonly status: "failed" | "skipped" | "unverified" | "unknown";
  readonly code: string;
  readonly hint: string;
  /** The object, if it exists by now. */
  readonly id: string | null;
  /** JSON Pointers of the declared fields that the error is about. */
  readonly paths: readonly string[] | undefined;
  constructor(
    status: ChangeError["status"],
    code: string,
    message: string,
    hint: string,
    id: string | null = null,
    paths?: readonly string[],
  ) {
    super(message);
    this.name = "ChangeError";
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.id = id;
    this.paths = paths;
  }
}

export interface TaskOptions {
  readonly context: ApplyContext;
  /** Address and ids of the scope. */
  readonly scope: string;
  readonly path: ScopePath;
  /** Told of every request that was sent. */
  readonly count: (requests: number) => void;
  /** Notes what becomes of every request that writes. */
  readonly watch: Watch;
  /** Address of the change. */
  readonly address: string;
  readonly ownership: Ownership;
  /** The lists that the changes of a run share, by {@link listKey}. */
  readonly lists: Map<string, Promise<readonly LiveObject[]>>;
  /** The lists that changes ask for at the same time. */
  readonly coalesce: Coalescer<readonly LiveObject[]>;
  /** Lets other changes go on during a reading that many share. */
  readonly outside: <T>(wait: () => Promise<T>) => Promise<T>;
  readonly pause: (ms: number) => Promise<void>;
  /** Holds back what the key is not allowed to write. */
  readonly breaker: MissingScopeBreaker;
}

/** Binds a kind's calls to one scope of the service. */
export function createTask(kind: Kind, options: TaskOptions): Task {
  const {
    context,
    scope,
    path,
    count,
    watch,
    address,
    ownership: claims,
    lists,
    coalesce: waves,
    outside,
    pause,
    breaker: gate,
  } = options;
  const { client } = context;
  const lister = kind.lists(scopeType(scope));
  const assemble = (rows: Readonly<Record<string, readonly JsonObject[]>>): readonly LiveObject[] => {
    const none = Object.fromEntries(lister.map((operation) => [operation, []]));
    return kind.assemble({ scope, path, rows: { ...none, ...rows } });
  };
  const list = async (): Promise<readonly LiveObject[]> => {
    const rows = await Promise.all(
      lister.map(async (operation) => {
        const found = await client.list(operation, path, undefined, () => count(1));
        return [operation, found.rows] as const;
      }),
    );
    return assemble(Object.fromEntries(rows));
  };
  const gather = async (read: (name: KindName) => Promise<readonly LiveObject[]>): Promise<readonly LiveObject[]> => {
    const groups = await Promise.all([...kind.siblings, kind.name].map(read));
    // Its own group comes last, and counts.
    return [...new Map(groups.flat().map((live) => [live.id, live])).values()];
  };
  const task: Task = {
    context,
    kind,
    scope,
    path,
    pause,
    isFree: (live) => [undefined, address].includes(claims.ownerOf(live.kind, live.id)),
    claim: (id) => claims.claim(address, kind.name, id),
    as: (name) => (name === kind.name ? task : createTask(kinds[name], options)),
    call: async ({ operation, path: own, body }: Call) => {
      const sent = body === undefined ? undefined : mapSecrets(body, context.secrets);
      const send: Send = (onRequest) =>
        client.request(operation, {
          path: { ...path, ...own },
          ...(sent === undefined ? {} : { body: sent }),
          onRequest: () => {
            count(1);
            onRequest();
          },
        });
      return gate(operation, () => (operations[operation].method === "GET" ? send(() => undefined) : watch(send)));
    },
    list,
    listAll: () => outside(() => gather((name) => waves(listKey(scope, name), () => task.as(name).list()))),
    listOnce: () =>
      gather((name) => {
        const key = listKey(scope, name);
        const found = lists.get(key) ?? task.as(name).list();
        lists.set(key, found);
        return found;
      }),
    read: (operation, body: Json | undefined) => {
      const from = `${operation.split(".")[0] ?? ""}.list`;
      return isJsonObject(body) ? assemble({ [from]: [body] })[0] : undefined;
    },
  };
  return task;
}
