import type { Key, Service } from "../service.ts";
import type { RequestRules } from "./route.ts";
import type { User } from "../records/user.ts";

/** The parts of a request that the service needs, and the changes that faults make to its handling. */
export interface Call {
  readonly service: Service;
  readonly method: string;
  /** The path as requested, for links. */
  readonly path: string;
  readonly origin: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly contentType: string;
  readonly userAgent: string;
  /** The name that a client gives itself in `x-posthog-client`. Undefined: it gives none. */
  readonly client: string | undefined;
  readonly text: string;
  /** The changes that faults make. Without a fault they have no effect. */
  readonly tweaks: Tweaks;
  /** The number of the request, in order of arrival. */
  readonly serial: number;
}

/** The changes that faults make to the handling of one request. */
export interface Tweaks {
  /** Top-level keys of the body that are ignored. */
  readonly ignoredFields: readonly string[];
  /** An upper limit of the page size. */
  readonly clampLimit: number | undefined;
  /** Swaps the first row of this page and the last row of the previous page. */
  readonly moveRow: boolean;
  /** The last row of the page appears twice. */
  readonly repeatRow: boolean;
  /** The last row of the page is missing. */
  readonly hideRow: boolean;
  /** Added to `count`. */
  readonly countOff: number;
}

/** A call whose key was accepted. */
export interface Authenticated extends Call {
  readonly key: Key;
  readonly user: User;
  /** The rules of the requested resource. */
  readonly rules: RequestRules;
}

/** An answer: JSON, text that is not JSON, or no body. */
export interface Answer {
  readonly status: number;
  /** Text that is sent unchanged instead of `body`. */
  readonly raw?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
