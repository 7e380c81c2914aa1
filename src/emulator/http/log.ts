import type { Json } from "../json.ts";

/** A request that reached the emulator. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The body as JSON, or as text if it is not JSON. Undefined if there was no body. */
  readonly body: Json | undefined;
  /** The status of the answer, even if the connection broke before it was sent. Null until it is decided. */
  readonly status: number | null;
  /** The time of arrival, ISO 8601. */
  readonly at: string;
}

/** A logged request whose status is not decided yet. */
export interface PendingRequest extends LoggedRequest {
  status: number | null;
}

/** A bounded log of the last requests. */
export interface RequestLog {
  /** The requests in order of arrival. The array object never changes. */
  readonly entries: readonly LoggedRequest[];
  /** Adds a request. `characters` is the size of its body. The oldest requests are dropped to make room. */
  add(entry: PendingRequest, characters: number): void;
  clear(): void;
}

/** The total size of the bodies in the log. A log of large bodies keeps fewer requests. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Creates a log that keeps at most this number of requests. */
export function createRequestLog(maxRequests: number): RequestLog {
  const entries: PendingRequest[] = [];
  const sizes: number[] = [];
  let total = 0;
  return {
    entries,
    add(entry, characters) {
      entries.push(entry);
      sizes.push(characters);
      total += characters;
      while (entries.length > maxRequests || (total > MAX_CHARACTERS && entries.length > 1)) {
        entries.shift();
        total -= sizes.shift() ?? 0;
      }
    },
    clear() {
      entries.splice(0);
      sizes.splice(0);
      total = 0;
    },
  };
}
