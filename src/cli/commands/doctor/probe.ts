import { createClient, type Client, type Query, type ResponseHead } from "../../../api/client.ts";
import { ApiError } from "../../../api/errors/errors.ts";
import { retryAfter } from "../../../api/http/receive.ts";
import type { OperationName } from "../../../api/operations/index.ts";
import type { Json } from "../../../model/json.ts";
import type { ServiceOptions } from "../../options.ts";
import type { Progress } from "../../output.ts";
import type { Runtime } from "../../runtime.ts";

/** A look that takes longer is no help. Milliseconds. */
const DEADLINE = 60_000;
const CONNECT = 5_000;
const ANSWER = 20_000;

/** What came of one request. */
export interface Reply {
  readonly body: Json | undefined;
  readonly error: ApiError | undefined;
}

/** A service that is looked at. It is only read. */
export interface ServiceProbe {
  readonly client: Client;
  get(operation: OperationName, path: Readonly<Record<string, string>>, query?: Query): Promise<Reply>;
  /** What stood before the last answer. */
  head(): ResponseHead | undefined;
  /** How long the service asked to wait at most, undefined where it never did. Milliseconds. */
  throttledFor(): number | undefined;
}

/** Connects for a look. Nothing is sent yet. */
export function probeService(
  runtime: Runtime,
  { url, key }: { readonly url: string; readonly key: string },
  options: ServiceOptions,
  progress: Progress,
): ServiceProbe {
  let last: ResponseHead | undefined;
  let throttled: number | undefined;
  const noteWait = (ms: number): void => {
    throttled = Math.max(throttled ?? 0, ms);
  };
  const client = createClient({
    url,
    key,
    mode: "read",
    profile: options.profile,
    clock: runtime.clock,
    redactor: runtime.redactor,
    signal: runtime.signal,
    maxRequestsPerMinute: options.maxRequestsPerMinute,
    deadlineMs: DEADLINE,
    timeouts: { connect: CONNECT, headers: ANSWER },
    onEvent: (event) => {
      if (event.type === "throttled") noteWait(event.waitMs ?? 0);
      progress.request(event);
    },
  });
  return {
    client,
    head: () => last,
    throttledFor: () => throttled,
    get: async (operation, path, query = {}) => {
      const onResponse = (head: ResponseHead): void => {
        last = head;
        // A wait that is too long to be begun is no event.
        if (head.status === 429) noteWait(retryAfter(head.headers, runtime.clock.now()) ?? 0);
      };
      try {
        const { body } = await client.request(operation, { path, query, onResponse });
        return { body, error: undefined };
      } catch (error) {
        if (error instanceof ApiError) return { body: undefined, error };
        throw error;
      }
    },
  };
}
