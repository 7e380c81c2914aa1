import type { Dispatcher } from "undici";
import type { Json, JsonObject } from "../model/json.ts";
import { isValidKey, serviceUrl, queryString, requestPath, type Query } from "./http/url.ts";
import { errorBeforeSending, type Origin } from "./errors/from-response.ts";
import type { Clock } from "./limits/clock.ts";
import { isRefusal } from "./errors/errors.ts";
import { createLimiter } from "./limits/limiter.ts";
import { operations, type Operation, type OperationName } from "./operations/index.ts";
import type { Reduce } from "./lists/page.ts";
import { readWholeList, type List } from "./lists/read-list.ts";
import type { Answer } from "./http/receive.ts";
import { registerSecretsByName, type Redactor } from "./redact/redact.ts";
import { createSender, type RequestEvent, type ResponseHead } from "./http/send.ts";
import { createTransport, DEFAULT_TIMEOUTS, type Timeouts } from "./http/transport.ts";

export type { Answer, Clock, Query, RequestEvent, ResponseHead, Timeouts };

/** How long a run may go on waiting for the service. Milliseconds. */
const DEFAULT_DEADLINE = 30 * 60_000;

export interface ClientOptions {
  /** Base URL of the service; it may have a path. */
  readonly url: string;
  readonly key: string;
  /** `read` sends nothing but GET. */
  readonly mode: "read" | "write";
  /** `document` sends only what the document shows; `posthog` also what makes lists of deployed servers stable. */
  readonly profile: "posthog" | "document";
  readonly clock: Clock;
  /** Learns the key. */
  readonly redactor: Redactor;
  /** Once aborted, nothing new is sent; what is under way is waited for. */
  readonly signal?: AbortSignal | undefined;
  readonly maxRequestsPerMinute?: number | undefined;
  /** Waits that would end later, counted from the creation of the client, are not begun. Milliseconds; 30 minutes. */
  readonly deadlineMs?: number | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  readonly onEvent?: ((event: RequestEvent) => void) | undefined;
  /** In place of the own pool of connections; it is not closed with the client. */
  readonly dispatcher?: Dispatcher | undefined;
}

export interface RequestInput {
  /** Path parameters by name; others than those of the operation are left alone. */
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Query | undefined;
  readonly body?: Json | undefined;
  /** Called for every try that is sent. */
  readonly onRequest?: (() => void) | undefined;
  /** Called for every answer, errors included. */
  readonly onResponse?: ((response: ResponseHead) => void) | undefined;
}

/** The service, as far as it can be reached with one key. Every failure is an {@link ApiError}. */
export interface Client {
  /** Base URL without credentials and without a slash at its end. */
  readonly url: string;
  readonly profile: ClientOptions["profile"];
  /** Sends one operation. With the query `format=csv` the answer has bytes in place of a body. @throws ApiError */
  request(operation: OperationName, input?: RequestInput): Promise<Answer>;
  /** Reads a whole list, proven by its count and ids. `basic: false` asks for full rows of insights. @throws ApiError */
  list(
    operation: OperationName,
    path: Readonly<Record<string, string>>,
    query?: Query,
    onRequest?: () => void,
  ): Promise<List>;
  /** The same with the rows of each page reduced as they arrive, so that no more than a few pages are in memory. @throws ApiError */
  listReduced<T>(
    operation: OperationName,
    path: Readonly<Record<string, string>>,
    query: Query,
    reduce: Reduce<T>,
  ): Promise<List<T>>;
  /** How many requests were sent, every try counted. */
  requests(): number;
  /** Ends the connections once they are idle. */
  close(): Promise<void>;
}

/**
 * Connects to a service. Nothing is sent yet.
 *
 * @throws ApiError `invalid` where the URL is not one of http or https
 * @example
 * const client = createClient({ url, key, mode: "read", profile: "posthog", clock: systemClock, redactor: createRedactor() });
 * const { rows } = await client.list("organizations.list", {});
 */
export function createClient(options: ClientOptions): Client {
  const { key, profile, clock, redactor, signal, maxRequestsPerMinute, onEvent, dispatcher } = options;
  redactor.add(key);
  const service = serviceUrl(options.url, redactor);
  const deadline = clock.now() + (options.deadlineMs ?? DEFAULT_DEADLINE);
  const transport = createTransport(clock, { ...DEFAULT_TIMEOUTS, ...options.timeouts }, dispatcher);
  const limiter = createLimiter({ clock, maxRequestsPerMinute, deadline, signal });
  const send = createSender({ service, key, clock, transport, limiter, deadline, signal, onEvent });
  let sent = 0;
  /** Lists of which the service does not take what the profile adds. */
  const refused = new Set<OperationName>();

  const request: Client["request"] = async (name, { path = {}, query = {}, body, onRequest, onResponse } = {}) => {
    const origin = allowed(options, name, path);
    const count = (): void => {
      sent += 1;
      onRequest?.();
    };
    const content = origin.operation.method === "GET" ? undefined : body;
    const raw = query["format"] === "csv";
    if (content !== undefined) registerSecretsByName(redactor, content);
    return send({ origin, query: queryString(query), body: content, raw, onRequest: count, onResponse });
  };

  return {
    url: `${service.origin}${service.pathname.replace(/\/+$/u, "")}`,
    profile,
    request,
    list: (name, path, query = {}, onRequest) =>
      readList(options, request, { name, path, query, reduce: identity, onRequest, refused }),
    listReduced: (name, path, query, reduce) => readList(options, request, { name, path, query, reduce, refused }),
    requests: () => sent,
    close: () => transport.close(),
  };
}

interface ListOptions<T> {
  readonly name: OperationName;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly reduce: Reduce<T>;
  readonly onRequest?: (() => void) | undefined;
  /** Lists of which the service does not take what the profile adds. */
  readonly refused: Set<OperationName>;
}

/** Reads a list with what the profile adds to the query, and without it where the service objects. */
async function readList<T>(
  options: ClientOptions,
  request: Client["request"],
  wanted: ListOptions<T>,
): Promise<List<T>> {
  const { name, path, query, reduce, onRequest, refused } = wanted;
  const origin = allowed(options, name, path);
  const read = (all: Query): Promise<List<T>> =>
    readWholeList(
      origin,
      (paged, arrived) => request(name, toPageRequest(path, paged, onRequest, arrived)),
      all,
      reduce,
    );
  const { plain, extra } = listQueries(origin.operation, query, options.profile);
  if (Object.keys(extra).length === 0 || refused.has(name)) return read(plain);
  return read({ ...extra, ...plain }).catch(async (error: unknown) => {
    if (!isRefusal(error)) throw error;
    const list = await read(plain);
    // A 500 may have been a passing one; what is invalid stays so.
    if (error.kind === "invalid") refused.add(name);
    return list;
  });
}

function toPageRequest(
  path: RequestInput["path"],
  query: Query,
  onRequest: RequestInput["onRequest"],
  arrived: () => void,
): RequestInput {
  // Any other answer may be asked for again.
  const onResponse = ({ status }: ResponseHead): void => (status < 300 ? arrived() : undefined);
  return { path, query, onRequest, onResponse };
}

/** Rows that are wanted whole. */
const identity: Reduce<JsonObject> = (rows) => rows;

/** Where every request passes, whatever it was made by: what must not be sent ends here. @throws ApiError */
function allowed(options: ClientOptions, name: OperationName, path: Readonly<Record<string, string>>): Origin {
  const { mode, key, redactor } = options;
  const operation = operations[name];
  const origin: Origin = { operation, path: `${operation.path}/`, redact: (text) => redactor.text(text) };
  if (mode === "read" && operation.method !== "GET") {
    const hint = "This is a defect of driftline: please report it.";
    throw errorBeforeSending(origin, "write_in_read_mode", null, "this command only reads", hint);
  }
  if (!isValidKey(key)) {
    const hint = "Check DRIFTLINE_API_KEY for blanks and line breaks.";
    throw errorBeforeSending(origin, "auth", "invalid_key", "the API key has characters that no key has", hint);
  }
  return { ...origin, path: requestPath(origin, path) };
}

/** What the caller asks for, and what the profile adds. `false` takes out what would be added, and is not sent. */
function listQueries(
  operation: Operation,
  query: Query,
  profile: ClientOptions["profile"],
): { readonly plain: Query; readonly extra: Query } {
  const known = operation.listQuery ?? {};
  const plain = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== false));
  const extra = Object.fromEntries(Object.entries(known).filter(([name]) => !Object.hasOwn(query, name)));
  return { plain, extra: profile === "posthog" ? extra : {} };
}
