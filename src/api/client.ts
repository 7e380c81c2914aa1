import { createHash } from "node:crypto";
import { BUG_HINT } from "../model/text/error-reason.ts";
import type { Profile } from "../model/profile.ts";
import type { Dispatcher } from "undici";
import type { Json, JsonObject } from "../model/json/json.ts";
import { filterKeys } from "../model/json/object.ts";
import { isValidKey, publicUrlOf, serviceUrl } from "./http/service-url.ts";
import { queryString, requestPath, type Query } from "./http/request-path.ts";
import { keepCurrentOrganization, type Send } from "./http/current-organization.ts";
import { errorBeforeSending, originOf, type Origin } from "./errors/from-response.ts";
import type { Clock } from "./limits/clock.ts";
import { Sender } from "./http/sender.ts";
import type { RequestEvent, RequestOptions, ResponseHead, SendingOptions } from "./http/request.ts";
import { mayRejectQuery } from "./errors/errors.ts";
import { createLimiter, type Limiter } from "./limits/limiter.ts";
import { createRetryBudget, type RetryBudget } from "./limits/retry.ts";
import { listQueryFor, operations, type OperationName } from "./operations/index.ts";
import type { Reduce } from "./lists/completeness.ts";
import { readCompleteList, type FetchPage, type List } from "./lists/read-list.ts";
import type { Answer } from "./http/receive.ts";
import { registerSecretsByName, type Redactor } from "./redact/redact.ts";
import { createTransport, DEFAULT_TIMEOUTS, type Timeouts, type Transport } from "./http/transport.ts";

export type { Answer, Clock, Query, RequestEvent, ResponseHead, Timeouts };

/** How long a run may wait for the service. Milliseconds. */
const DEFAULT_DEADLINE = 30 * 60_000;

export interface ClientOptions extends SendingOptions {
  /** Base URL of the service. It may have a path. */
  readonly url: string;
  /** `read` sends only GET requests, `calculate` also the calculations that are POST requests and leave no trace. */
  readonly mode: "read" | "calculate" | "write";
  /**
   * `document` sends only documented parameters. `posthog` also sends parameters that make lists of deployed servers
   * stable.
   */
  readonly profile: Profile;
  /** The key and the secrets in requests are added to it. */
  readonly redactor: Redactor;
  readonly maxRequestsPerMinute?: number | undefined;
  /** No wait may end later than this, counted from the creation of the client. Milliseconds; default 30 minutes. */
  readonly deadlineMs?: number | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** Called while a list of several pages is read. */
  readonly onPage?: ((progress: ListProgress) => void) | undefined;
  /** Replaces the client's own pool of connections. The client does not close it. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** How much of a list has been read. */
export interface ListProgress {
  readonly operation: OperationName;
  readonly path: string;
  /** Pages that have arrived. */
  readonly pages: number;
  /** All pages; undefined when the list has ended, read or not. */
  readonly total: number | undefined;
}

export interface RequestInput extends RequestOptions {
  /** Path parameters by name. Unknown names are ignored. */
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Query | undefined;
  readonly body?: Json | undefined;
}

/** Sends requests to one service with one key. Every failure is an {@link ApiError}. */
export interface Client {
  /** Base URL without credentials and without a trailing slash. */
  readonly url: string;
  readonly profile: Profile;
  /** Names the key without showing it: the last four characters of its SHA-256. */
  readonly keyHashEnd: string;
  /** Sends one operation. With the query `format=csv` the answer has bytes instead of a body. @throws ApiError */
  request(operation: OperationName, input?: RequestInput): Promise<Answer>;
  /**
   * Reads a complete list and checks its count and ids. `basic: false` requests full rows of insights. @throws ApiError
   */
  list(
    operation: OperationName,
    path: Readonly<Record<string, string>>,
    query?: Query,
    onRequest?: () => void,
  ): Promise<List>;
  /** Like `list`, but reduces each page as it arrives, so only a few pages are in memory. @throws ApiError */
  listReduced<T>(
    operation: OperationName,
    path: Readonly<Record<string, string>>,
    query: Query,
    reduce: Reduce<T>,
  ): Promise<List<T>>;
  /**
   * Takes one retry from the budget of the run, for a caller that sends a create again. Returns false if none is left.
   */
  takeRetry(): boolean;
  /** How many requests were sent. Every try counts. */
  requests(): number;
  /** What this run has shown of the service's speed. */
  pace(): Pace;
  /** Closes the connections when they are idle. */
  close(): Promise<void>;
}

export interface Pace {
  /** How long a request took on average. Milliseconds. */
  readonly perRequest: number;
  /** The requests per minute that the service was seen to accept; undefined for a budget that met no limit. */
  readonly seenLimits: ReturnType<Limiter["seenLimits"]>;
}

/**
 * Creates a client for a service. Nothing is sent yet.
 *
 * @throws ApiError `invalid` if the URL is not an http or https URL
 * @example
 * const redactor = createRedactor();
 * const client = createClient({ url, key, mode: "read", profile: "posthog", clock: systemClock, redactor });
 * const { rows } = await client.list("organizations.list", {});
 */
export function createClient(options: ClientOptions): Client {
  const { key, profile, redactor } = options;
  redactor.add(key);
  const service = serviceUrl(options.url, redactor);
  const { send, transport, budget, limiter } = createSending(service, options);
  let sent = 0;
  let [ended, took] = [0, 0];
  /** Lists for which the service rejects the parameters that the profile adds. */
  const refused = new Set<OperationName>();

  const request: Client["request"] = async (name, { path = {}, query = {}, body, onRequest, ...rest } = {}) => {
    const origin = checkedOrigin(options, name, path);
    const count = (): void => {
      sent += 1;
      onRequest?.();
    };
    const content = origin.operation.method === "GET" ? undefined : body;
    const raw = query["format"] === "csv";
    if (content !== undefined) registerSecretsByName(redactor, content);
    const began = options.clock.now();
    return send({ ...rest, origin, query: queryString(query), body: content, raw, onRequest: count }).finally(() => {
      [ended, took] = [ended + 1, took + options.clock.now() - began];
    });
  };

  return {
    url: publicUrlOf(service.href),
    profile,
    keyHashEnd: createHash("sha256").update(key).digest("hex").slice(-4),
    request,
    list: (name, path, query = {}, onRequest) =>
      fetchList(options, request, { name, path, query, reduce: identity, onRequest, refused }),
    listReduced: (name, path, query, reduce) => fetchList(options, request, { name, path, query, reduce, refused }),
    takeRetry: () => budget.spend(),
    requests: () => sent,
    pace: () => ({ perRequest: took / Math.max(1, ended), seenLimits: limiter.seenLimits() }),
    close: () => transport.close(),
  };
}

interface Sending {
  readonly send: Send;
  readonly transport: Transport;
  readonly budget: RetryBudget;
  readonly limiter: Limiter;
}

function createSending(service: URL, options: ClientOptions): Sending {
  const { profile, clock, signal, maxRequestsPerMinute, dispatcher } = options;
  const deadline = clock.now() + (options.deadlineMs ?? DEFAULT_DEADLINE);
  const transport = createTransport(clock, { ...DEFAULT_TIMEOUTS, ...options.timeouts }, dispatcher);
  const limiter = createLimiter({ clock, maxRequestsPerMinute, deadline, signal });
  const budget = createRetryBudget();
  const sender = new Sender({ ...options, service, transport, limiter, budget, deadline });
  const send: Send = (request) => sender.send(request);
  // The read of the current organization is not in the interface document.
  return { send: profile === "posthog" ? keepCurrentOrganization(send) : send, transport, budget, limiter };
}

interface ListOptions<T> {
  readonly name: OperationName;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly reduce: Reduce<T>;
  readonly onRequest?: (() => void) | undefined;
  /** Lists for which the service rejects the parameters that the profile adds. */
  readonly refused: Set<OperationName>;
}

/** Reads a list with the parameters that the profile adds. If the service rejects them, reads it without them. */
async function fetchList<T>(
  options: ClientOptions,
  request: Client["request"],
  list: ListOptions<T>,
): Promise<List<T>> {
  const { name, path, query, reduce, onRequest, refused } = list;
  const origin = checkedOrigin(options, name, path);
  const onPage = (pages: number, total?: number): void =>
    options.onPage?.({ operation: name, path: origin.path, pages, total });
  const fetchPage: FetchPage = (pageQuery, onArrival) => {
    // After any other answer the request may be sent again.
    const onResponse = ({ status }: ResponseHead): void => (status < 300 ? onArrival() : undefined);
    return request(name, { path, query: pageQuery, onRequest, onResponse });
  };
  const read = (all: Query): Promise<List<T>> =>
    readCompleteList({ origin, fetchPage, query: all, reduce, onPage }).finally(() => onPage(0));
  // A parameter that is `false` is not sent.
  const plain = filterKeys(query, (_name, value) => value !== false);
  const extra = filterKeys(listQueryFor(options.profile, name), (one) => !Object.hasOwn(query, one));
  if (Object.keys(extra).length === 0 || refused.has(name)) return read(plain);
  return read({ ...extra, ...plain }).catch(async (error: unknown) => {
    if (!mayRejectQuery(error)) throw error;
    const result = await read(plain);
    refused.add(name);
    return result;
  });
}

/** Keeps complete rows. */
const identity: Reduce<JsonObject> = (rows) => rows;

/** Checks that a request may be sent. Every request passes here. @throws ApiError */
function checkedOrigin(options: ClientOptions, name: OperationName, path: Readonly<Record<string, string>>): Origin {
  const { mode, key, redactor } = options;
  const operation = operations[name];
  const origin: Origin = { ...originOf(operation), redact: (text) => redactor.text(text) };
  const isAllowed = operation.method === "GET" || mode === "write";
  if (!isAllowed && !(mode === "calculate" && operation.effect === "read")) {
    throw errorBeforeSending(origin, {
      kind: "write_in_read_mode",
      problem: "this command only reads",
      hint: BUG_HINT,
    });
  }
  if (!isValidKey(key)) {
    const hint = "Check DRIFTLINE_API_KEY for blanks and line breaks.";
    const problem = "the API key has characters that keys do not have";
    throw errorBeforeSending(origin, { kind: "auth", code: "invalid_key", problem, hint });
  }
  return { ...origin, path: requestPath(origin, path) };
}
