import { randomUUID } from "node:crypto";
import { createClient, type Client, type Clock } from "../../api/client.ts";
import { systemClock } from "../../api/limits/clock.ts";
import type { List } from "../../api/lists/read-list.ts";
import { createRedactor, type Redactor } from "../../api/redact/redact.ts";
import { createCoalescer, type Coalescer } from "../../apply/schedule/coalesce.ts";
import { DEFAULT_SETTLE_SECONDS } from "../../engine/resource.ts";
import { stateFilePrefix } from "../../engine/state-folder.ts";
import type { JsonObject } from "../../model/json.ts";
import type { ScopePath } from "../../model/live.ts";
import { readObjectRow, type ObjectRef } from "../../snapshot/read-object.ts";
import { createSharedJournal, type SharedJournal } from "./journal.ts";
import type { StackConfig } from "./provider.ts";
import type { Assemblies } from "./lookup.ts";
import { createListCache, type ListCache } from "./list-cache.ts";

/** What all resources of one service share in a process: pool, limiter, lists, journal. */
export interface ProviderSession {
  readonly client: Client;
  readonly redactor: Redactor;
  readonly rows: ListCache;
  readonly assemblies: Assemblies;
  /** One object; nothing where the service does not give it. */
  readonly readObject: (named: ObjectRef, path: ScopePath) => Promise<JsonObject | undefined>;
  readonly journal: SharedJournal;
  /** Readings that writes at the same time share. */
  readonly waves: Coalescer<List>;
  /** Runs tasks of one key one after the other. */
  readonly inTurn: <T>(key: string, task: () => Promise<T>) => Promise<T>;
  readonly clock: Clock;
  /** A mark like no other. */
  readonly mark: () => string;
  /** The e-mail of the user whose key it is. */
  readonly self: string | undefined;
  /** How long a request of which nothing was heard may still take effect. Milliseconds. */
  readonly horizonMs: number;
}

/** What is left of a session for previews and refreshes: lists are read, and nothing else can be sent. */
export type ReadSession = Pick<ProviderSession, "rows" | "assemblies" | "readObject">;

/** A run of the engine has no deadline of its own. Milliseconds. */
const DEADLINE = 24 * 60 * 60_000;

/** Sessions by service and key: the one state of a module, as the engine runs one process for all resources. */
const sessions = new Map<string, ProviderSession>();

/** Reads one setting; the environment comes first, and what is empty counts as not given. */
type Settings = (variable: string, key: string) => string | undefined;

/**
 * The session of the service that the environment or the stack's configuration names, in this order: a refresh is given the
 * configuration of the last `up`, whose key may have been replaced since. Nothing is sent yet.
 */
export function sessionOf(
  config: StackConfig | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ProviderSession {
  const setting: Settings = (variable, key) => {
    const given = [env[variable], config?.get(`driftline:${key}`)];
    return given.map((value) => value?.trim()).find((value) => value !== undefined && value !== "");
  };
  const url = required(setting("DRIFTLINE_URL", "url"), "DRIFTLINE_URL, or `pulumi config set driftline:url`");
  const key = required(
    setting("DRIFTLINE_API_KEY", "apiKey"),
    "DRIFTLINE_API_KEY, or `pulumi config set --secret driftline:apiKey`",
  );
  const profile = setting("DRIFTLINE_PROFILE", "profile") ?? "posthog";
  if (profile !== "posthog" && profile !== "document")
    throw new Error("driftline: DRIFTLINE_PROFILE or driftline:profile is neither posthog nor document");
  const id = [url, key, profile].join("\n");
  const session = sessions.get(id) ?? open(url, key, profile, env, setting);
  sessions.set(id, session);
  return session;
}

function required(value: string | undefined, how: string): string {
  if (value === undefined) throw new Error(`driftline: no service or key is given: set ${how}`);
  return value;
}

function open(
  url: string,
  key: string,
  profile: "posthog" | "document",
  env: Readonly<Record<string, string | undefined>>,
  setting: Settings,
): ProviderSession {
  const number = (variable: string, name: string): number | undefined => {
    const value = setting(variable, name);
    if (value === undefined) return undefined;
    if (Number(value) > 0) return Number(value);
    throw new Error(`driftline: ${variable} or driftline:${name} is no number above 0`);
  };
  const redactor = createRedactor();
  const clock = systemClock;
  const client = createClient({
    url,
    key,
    mode: "write",
    profile,
    clock,
    redactor,
    deadlineMs: DEADLINE,
    maxRequestsPerMinute: number("DRIFTLINE_MAX_REQUESTS_PER_MINUTE", "maxRequestsPerMinute"),
  });
  const base = stateFilePrefix(env, client.url);
  return {
    client,
    redactor,
    clock,
    mark: randomUUID,
    rows: createListCache(() => client),
    assemblies: new WeakMap(),
    readObject: (named, path) => readObjectRow(client, named, path),
    waves: createCoalescer((ms) => clock.sleep(ms)),
    inTurn: createTurns(),
    journal: createSharedJournal(base, clock),
    self: setting("DRIFTLINE_SELF", "self"),
    horizonMs: (number("DRIFTLINE_SETTLE_AFTER", "settleAfter") ?? DEFAULT_SETTLE_SECONDS) * 1000,
  };
}

function createTurns(): ProviderSession["inTurn"] {
  const last = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(task);
    const ended = turn.catch(() => undefined);
    last.set(key, ended);
    return turn;
  };
}
