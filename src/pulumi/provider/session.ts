import type { Profile } from "../../model/profile.ts";
import { randomUUID } from "node:crypto";
import { createClient, type Client, type Clock } from "../../api/client.ts";
import { publicUrlOf } from "../../api/http/service-url.ts";
import { systemClock } from "../../api/limits/clock.ts";
import type { List } from "../../api/lists/read-list.ts";
import { createRedactor, type Redactor } from "../../api/redact/redact.ts";
import { createCoalescer, type Coalescer } from "../../api/lists/coalesce.ts";
import { ProcessJournal, UNKNOWN_OWNER, type SharedJournal } from "../../engine/one-resource/shared-journal.ts";
import type { JsonObject } from "../../model/json/json.ts";
import { isKnownService } from "../../model/known-services.ts";
import type { ScopePath } from "../../model/live.ts";
import type { ObjectRef } from "../../kinds/object-read.ts";
import { createListMemo, type ListMemo } from "../../world/list-memo.ts";
import { readUnlistedRow } from "../../world/read-object.ts";
import { settingProblem, type Setting, variableOf } from "../properties/settings.ts";
import { createSharedReads, type CreateInFlight } from "../../engine/one-resource/one-resource.ts";
import type { EngineLog, StackConfig } from "./calls.ts";

/** The state that all resources of one service share in a process: connections, limiter, lists, journal. */
export interface ProviderSession {
  readonly client: Client;
  readonly redactor: Redactor;
  readonly lists: ListMemo;
  /** Reads one object that no list shows by its id. Returns undefined if it does not exist. @throws ApiError if it may be hidden */
  readonly readObject: (named: ObjectRef, path: ScopePath) => Promise<JsonObject | undefined>;
  /** Has the check of the key run once for all resources. */
  readonly checkOnce: (check: () => Promise<void>) => Promise<void>;
  readonly journal: SharedJournal;
  /** Shares a read of a list between concurrent writes. */
  readonly coalesce: Coalescer<List>;
  /** Every write begins with it. The creates among them share their read of what is new. */
  readonly beginWrite: () => CreateInFlight;
  /** Runs the tasks of one key one after the other. */
  readonly inOrder: <T>(key: string, task: () => Promise<T>) => Promise<T>;
  readonly clock: Clock;
  readonly newMark: () => string;
  /** The e-mail of the user whose key is used. */
  readonly self: string | undefined;
  /** How long an unanswered create may still take effect, as the user says it. Seconds. */
  readonly settleAfter: number | undefined;
  /** Once it is aborted, nothing is waited for, and nothing new is sent. */
  readonly signal: AbortSignal | undefined;
  readonly log: SessionLog;
}

/** Says something of a resource to the engine. */
export type SessionLog = Pick<EngineLog, "warn" | "info">;

/** The part of a session that previews and refreshes use. It can only read. */
export type ReadSession = Pick<ProviderSession, "lists" | "readObject">;

/**
 * The deadline of a client, which is none in practice: a run of the engine may take as long as it needs. `sentBy` of the journal's intents
 * knows it by the owner that a run of Pulumi has. Milliseconds.
 */
const DEADLINE = 24 * 60 * 60_000;

/** Who uses a session. */
export interface SessionUser {
  /** The resource, or the stack, that creates. */
  readonly owner: string;
  readonly log: SessionLog;
}

const NOBODY: SessionUser = {
  owner: UNKNOWN_OWNER,
  log: { warn: () => Promise.resolve(), info: () => Promise.resolve() },
};

/**
 * Sessions by service and key, as each user sees them. The only module state: a process serves the resources of one run. Pulumi's engine
 * starts other processes for the next run, as for the update after a preview.
 */
const sessions = new Map<string, (own: OwnSettings & SessionUser) => ProviderSession>();

/** What each provider says for itself, even if it shares the rest with another one. */
type OwnSettings = Pick<ProviderSession, "self" | "settleAfter">;

/** Reads a setting from the environment and from the stack. An empty value counts as missing. @throws Error if it is invalid */
type ReadSetting = (name: Setting) => string | undefined;

/**
 * Returns the session of the service that the environment or the configuration of the stack names. For dynamic resources the
 * environment comes first, because a refresh gets the configuration of the last `up`, and its key may have been replaced
 * since. It comes last for a packaged provider, or all providers of a program would use one service. Sends nothing.
 * @throws Error if a setting is missing or invalid
 */
export function sessionOf(
  config: StackConfig | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
  user = NOBODY,
): ProviderSession {
  const setting: ReadSetting = (name) => {
    const given = [env[variableOf(name)], config?.get(`driftline:${name}`)];
    if (config?.comesFirst === true) given.reverse();
    const value = given.map((one) => one?.trim()).find((one) => one !== undefined && one !== "");
    const problem = value === undefined ? undefined : settingProblem(name, value);
    if (problem !== undefined) throw new Error(`driftline: ${variableOf(name)} or driftline:${name} ${problem}`);
    return value;
  };
  const url = requireSetting(setting("url"), "DRIFTLINE_URL, or `pulumi config set driftline:url`");
  const key = requireSetting(setting("apiKey"), "DRIFTLINE_API_KEY, or `pulumi config set --secret driftline:apiKey`");
  requireOwnService(config, env["DRIFTLINE_URL"]?.trim() ?? "", key);
  const profile = (setting("profile") ?? "posthog") as Profile;
  const id = [url, key, profile].join("\n");
  const number = (name: Setting): number | undefined => {
    const value = setting(name);
    return value === undefined ? undefined : Number(value);
  };
  const maxRequestsPerMinute = number("maxRequestsPerMinute");
  const session =
    sessions.get(id) ?? openSession({ url, key, profile, env, maxRequestsPerMinute, signal: config?.signal });
  sessions.set(id, session);
  return session({ ...user, self: setting("self"), settleAfter: number("settleAfter") });
}

/**
 * A pull request can change the file of a stack, or a program, so it must not choose where a key of the environment goes.
 *
 * @param named the service that the environment names, or an empty text
 * @throws Error if both name different services, or if nothing but the configuration names an unknown one
 */
function requireOwnService(config: StackConfig | undefined, named: string, key: string): void {
  const own = config?.get("driftline:url")?.trim() ?? "";
  if (own === "" || serviceOf(own) === serviceOf(named)) return;
  if (named !== "")
    throw new Error(
      "driftline: DRIFTLINE_URL and driftline:url name different services: remove one of them, or let both name the same",
    );
  if (config?.get("driftline:apiKey")?.trim() === key || !URL.canParse(own) || isKnownService(own)) return;
  throw new Error(
    `driftline: DRIFTLINE_API_KEY is not sent to ${new URL(own).origin}, which only driftline:url names. If it is your service, set DRIFTLINE_URL to it, or the key with \`pulumi config set --secret driftline:apiKey\``,
  );
}

function serviceOf(url: string): string {
  return URL.canParse(url) ? publicUrlOf(url) : url;
}

function requireSetting(value: string | undefined, how: string): string {
  if (value === undefined) throw new Error(`driftline: a setting is missing: set ${how}`);
  return value;
}

interface SessionOptions {
  readonly url: string;
  readonly key: string;
  readonly profile: Profile;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly maxRequestsPerMinute: number | undefined;
  readonly signal: AbortSignal | undefined;
}

function openSession(options: SessionOptions): (own: OwnSettings & SessionUser) => ProviderSession {
  const { url, key, profile, env, maxRequestsPerMinute, signal } = options;
  const redactor = createRedactor();
  const clock = systemClock;
  const client = createClient({
    url,
    program: "Pulumi provider",
    key,
    mode: "write",
    profile,
    clock,
    redactor,
    deadlineMs: DEADLINE,
    signal,
    maxRequestsPerMinute,
  });
  const journals = new ProcessJournal({ env, client, clock, signal });
  let checked: Promise<void> | undefined;
  const shared: Omit<ProviderSession, "journal" | "log" | keyof OwnSettings> = {
    client,
    redactor,
    clock,
    newMark: randomUUID,
    lists: createListMemo(client),
    readObject: (named, path) => readUnlistedRow(client, named, path),
    checkOnce: (check) => (checked ??= check()),
    coalesce: createCoalescer(clock, signal),
    beginWrite: createSharedReads(clock),
    inOrder: createSerialQueue(),
    signal,
  };
  return ({ owner, ...own }) => ({ ...shared, ...own, journal: journals.of(owner) });
}

function createSerialQueue(): ProviderSession["inOrder"] {
  const last = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(task);
    const ended = turn
      .catch(() => undefined)
      .finally(() => {
        if (last.get(key) === ended) last.delete(key);
      });
    last.set(key, ended);
    return turn;
  };
}
