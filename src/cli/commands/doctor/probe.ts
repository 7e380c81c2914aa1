import type { Client, Query, ResponseHead } from "../../../api/client.ts";
import { ApiError, mayRejectQuery } from "../../../api/errors/errors.ts";
import { retryAfter } from "../../../api/http/receive.ts";
import { operations, type OperationName } from "../../../api/operations/index.ts";
import type { Json } from "../../../model/json.ts";
import { connect } from "../../connect.ts";
import type { ServiceOptions } from "../../options.ts";
import type { Runtime } from "../../runtime.ts";

/** Shorter than for other commands: a check that hangs does not help. Milliseconds. */
const DEADLINE = 60_000;
const TIMEOUTS = { connect: 5_000, headers: 20_000 };

/** The result of one request: its body or its error. */
export interface ProbeResult {
  readonly body: Json | undefined;
  readonly error: ApiError | undefined;
}

/** A connection that sends GET only, and remembers what the checks need of the responses. */
export interface ServiceProbe {
  readonly client: Client;
  /** Reads something in the form in which a plan does. */
  get(operation: OperationName, path: Readonly<Record<string, string>>, query?: Query): Promise<ProbeResult>;
  /** The status and headers of the last response. */
  lastHead(): ResponseHead | undefined;
  /** The longest wait that the service asked for; undefined if it never did. Milliseconds. */
  throttledFor(): number | undefined;
  close(): Promise<void>;
}

/** Connects for the checks. Nothing is sent yet. */
export function probeService(
  runtime: Runtime,
  options: ServiceOptions,
  configuredUrl: string | undefined,
): ServiceProbe {
  let last: ResponseHead | undefined;
  let throttled: number | undefined;
  const noteWait = (ms: number): void => {
    throttled = Math.max(throttled ?? 0, ms);
  };
  const { client, close } = connect(runtime, options, {
    configuredUrl,
    mode: "read",
    deadlineMs: DEADLINE,
    timeouts: TIMEOUTS,
    onEvent: (event) => {
      if (event.type === "throttled") noteWait(event.waitMs ?? 0);
    },
  });
  return {
    client,
    close,
    lastHead: () => last,
    throttledFor: () => throttled,
    get: async (operation, path, query = {}) => {
      const onResponse = (head: ResponseHead): void => {
        last = head;
        // The client does not begin a wait that exceeds its deadline, so there is no event for it.
        if (head.status === 429) noteWait(retryAfter(head.headers, runtime.clock.now()) ?? 0);
      };
      const read = (whole: Query): ReturnType<Client["request"]> =>
        client.request(operation, { path, query: whole, onResponse });
      const { listQuery } = operations[operation];
      const isExtended = client.profile === "posthog" && listQuery !== undefined;
      try {
        const { body } = await read(isExtended ? { ...listQuery, ...query } : query).catch((error: unknown) => {
          if (!isExtended || !mayRejectQuery(error)) throw error;
          return read(query);
        });
        return { body, error: undefined };
      } catch (error) {
        if (error instanceof ApiError) return { body: undefined, error };
        throw error;
      }
    },
  };
}
