import type { Client, Query, ResponseHead } from "../../../api/client.ts";
import { ApiError, mayRejectQuery } from "../../../api/errors/errors.ts";
import { retryAfter } from "../../../api/http/retry-after.ts";
import { listQueryFor, type OperationName } from "../../../api/operations/index.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import { connect } from "../../steps/connect.ts";
import type { ServiceSettings } from "../../../model/resource.ts";
import type { ServiceOptions } from "../../program/options.ts";
import type { Runtime } from "../../runtime.ts";

/** Shorter than for other commands: a check that hangs does not help. Milliseconds. */
const DEADLINE = 60_000;
const TIMEOUTS = { connect: 5_000, headers: 20_000 };

/** Ids for the path of a request, by the names of the path parameters. */
export type PathIds = Readonly<Record<string, string>>;

/** The result of one request: a page of a list, if it was one, or its error. */
export interface ProbeResult {
  readonly rows: readonly JsonObject[];
  /** How many rows the whole list has. */
  readonly count: number | undefined;
  readonly error: ApiError | undefined;
}

/** A connection that sends GET only, and remembers what the checks need of the responses. */
export class ServiceProbe {
  readonly client: Client;
  readonly close: () => Promise<void>;
  readonly #clock: Runtime["clock"];
  #lastHead: ResponseHead | undefined;
  #throttledFor: number | undefined;

  /** Connects for the checks. Nothing is sent yet. */
  constructor(runtime: Runtime, options: ServiceOptions, configured: ServiceSettings | undefined) {
    this.#clock = runtime.clock;
    const { client, close } = connect(runtime, options, {
      configured,
      mode: "read",
      deadlineMs: DEADLINE,
      timeouts: TIMEOUTS,
      onEvent: (event) => {
        if (event.type === "throttled") this.#noteWait(event.waitMs ?? 0);
      },
    });
    this.client = client;
    this.close = close;
  }

  get lastHead(): ResponseHead | undefined {
    return this.#lastHead;
  }

  /** The longest wait that the service asked for; undefined if it never did. Milliseconds. */
  get throttledFor(): number | undefined {
    return this.#throttledFor;
  }

  /** Reads something in the form in which a plan does. */
  async get(operation: OperationName, path: PathIds, query: Query = {}): Promise<ProbeResult> {
    const onResponse = (head: ResponseHead): void => this.#noteHead(head);
    const read = (whole: Query): ReturnType<Client["request"]> =>
      this.client.request(operation, { path, query: whole, onResponse });
    const extra = listQueryFor(this.client.profile, operation);
    try {
      const { body } = await read({ ...extra, ...query }).catch((error: unknown) => {
        if (Object.keys(extra).length === 0 || !mayRejectQuery(error)) throw error;
        return read(query);
      });
      return { ...pageOf(body), error: undefined };
    } catch (error) {
      if (error instanceof ApiError) return { rows: [], count: undefined, error };
      throw error;
    }
  }

  #noteHead(head: ResponseHead): void {
    this.#lastHead = head;
    // The client does not begin a wait that exceeds its deadline, so there is no event for it.
    if (head.status === 429) this.#noteWait(retryAfter(head.headers, this.#clock.now()) ?? 0);
  }

  #noteWait(ms: number): void {
    this.#throttledFor = Math.max(this.#throttledFor ?? 0, ms);
  }
}

function pageOf(body: Json | undefined): Pick<ProbeResult, "rows" | "count"> {
  const { results, count } = isJsonObject(body) ? body : {};
  const rows = Array.isArray(results) ? results.filter(isJsonObject) : [];
  return { rows, count: typeof count === "number" ? count : undefined };
}
