import type { Json } from "../json.ts";

/** A request that reached the emulator. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The body as JSON, as text where it is none, undefined where there was none. */
  readonly body: Json | undefined;
  /** What was answered, or would have been if the connection had not broken; null while nothing is decided. */
  readonly status: number | null;
  /** When it arrived, ISO 8601. */
  readonly at: string;
}

/** The same while it is being answered. */
export interface OpenRequest extends LoggedRequest {
  status: number | null;
}

/** The last requests, within bounds. */
export interface RequestLog {
  /** In order of arrival. The same array for the life of the emulator. */
  readonly entries: readonly LoggedRequest[];
  /** Adds a request whose body has so many characters; the oldest ones make room for it. */
  add(entry: OpenRequest, characters: number): void;
  clear(): void;
}

/** How many characters of bodies are kept in all: a log of large bodies forgets sooner. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** A log of at most so many requests. */
export function createRequestLog(most: number): RequestLog {
  const entries: OpenRequest[] = [];
  const sizes: number[] = [];
  let total = 0;
  return {
    entries,
    add(entry, characters) {
      entries.push(entry);
      sizes.push(characters);
      total += characters;
      while (entries.length > most || (total > MOST_CHARACTERS && entries.length > 1)) {
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
