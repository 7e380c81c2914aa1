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
