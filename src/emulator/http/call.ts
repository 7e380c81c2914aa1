import type { Key, Service } from "../service.ts";
import type { RequestRules } from "./route.ts";
import type { User } from "../records/user.ts";

/** A request as far as the service's logic needs it, and what faults made of it. */
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
  readonly text: string;
  /** What faults want done differently; nothing where there is no fault. */
  readonly tweaks: Tweaks;
  /** Differs from request to request, in order of arrival. */
  readonly serial: number;
}

/** How faults bend the handling of one request. */
export interface Tweaks {
  /** Top-level keys of the body that are to be ignored. */
  readonly ignoredFields: readonly string[];
  /** An upper limit of the page size. */
  readonly clampLimit: number | undefined;
  /** The first row of this page and the last one of the page before change places. */
  readonly moveRow: boolean;
  /** The last row of the page stands there twice. */
  readonly repeatRow: boolean;
  /** The last row of the page is left out. */
  readonly hideRow: boolean;
  /** Added to `count`. */
  readonly countOff: number;
}

/** A call whose key was accepted. */
export interface Authenticated extends Call {
  readonly key: Key;
  readonly user: User;
  /** The rules of the resource that it is for. */
  readonly rules: RequestRules;
}

/** What goes back: JSON, text that is no JSON, or nothing. */
export interface Answer {
  readonly status: number;
  /** Sent as it is, in the place of `body`. */
  readonly raw?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
