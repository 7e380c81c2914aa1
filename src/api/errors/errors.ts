import type { Hint } from "../../model/command.ts";

/** Why an operation failed. Callers decide by this what to do next. */
export type ErrorKind =
  | "auth"
  /** The key lacks a permission. Documents have this word as the code of a failure, so it stays. */
  | "scope"
  | "not_found"
  /** A 404 to a user who has no current organization. It says nothing about the object. */
  | "no_organization"
  | "invalid"
  | "throttled"
  | "server"
  | "timeout"
  | "network"
  | "protocol"
  | "incomplete"
  | "interrupted"
  | "write_in_read_mode";

/** What an error is made of. What it leaves out is not known, or not there. */
export type ApiErrorFields = Pick<
  ApiError,
  "kind" | "operation" | "method" | "path" | "hint" | "tookEffect" | "message"
> &
  Partial<Pick<ApiError, "status" | "code" | "attr" | "detail" | "mayStillRun" | "missingPermission" | "tries">>;

/** A failed operation. All text from response bodies is redacted. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly kind: ErrorKind;
  /** Name of the operation, such as `domains.create`. */
  readonly operation: string;
  readonly method: string;
  /** The path of the request, without the path of the base URL and without the query. */
  readonly path: string;
  /** Null if no answer arrived. */
  readonly status: number | null;
  /** The error code of the service, or of the network failure, such as `ECONNREFUSED`. */
  readonly code: string | null;
  /** The field that the service rejected. */
  readonly attr: string | null;
  /** What the service says about it; "" if nothing. */
  readonly detail: string;
  /** One line that says what to do. */
  readonly hint: Hint;
  /**
   * Whether any try of the request may have taken effect. `no`: the request certainly did not arrive or was rejected.
   * `maybe`: the answer is missing or unclear. Reads get the same value although they have no effect: check `method` if
   * needed.
   */
  readonly tookEffect: "no" | "maybe";
  /** Whether the service may still be working on a try before the last one. */
  readonly mayStillRun: boolean;
  /** The permission that the service says the key is missing. Only errors of the kind `scope` have one. */
  readonly missingPermission: string | undefined;
  /** How often the request was sent. */
  readonly tries: number;

  constructor(fields: ApiErrorFields) {
    super(fields.message);
    this.kind = fields.kind;
    this.operation = fields.operation;
    this.method = fields.method;
    this.path = fields.path;
    this.status = fields.status ?? null;
    this.code = fields.code ?? null;
    this.attr = fields.attr ?? null;
    this.detail = fields.detail ?? "";
    this.hint = fields.hint;
    this.tookEffect = fields.tookEffect;
    this.mayStillRun = fields.mayStillRun ?? false;
    this.missingPermission = fields.missingPermission;
    this.tries = fields.tries ?? 1;
  }
}

/** A copy of an error with some fields replaced. */
export function withFields(error: ApiError, fields: Partial<ApiErrorFields>): ApiError {
  // A spread leaves the message of an Error out.
  return new ApiError({ ...error, message: error.message, ...fields });
}

/**
 * The first line of an external text without control characters and direction overrides, at most `limit` characters.
 */
export function oneLine(text: string, limit: number): string {
  const [first = ""] = text.trim().split(/[\r\n\u2028\u2029]/u, 1);
  const clean = first.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "").trim();
  const characters = [...clean];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join("")}…` : clean;
}

/** Whether the key lacks the right to what was asked for, or is not accepted. */
export function isDenied(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.kind === "auth" || error.kind === "scope");
}

/** Statuses of gateways and of overload, and codes of the network: they say nothing about the request. */
const OUTAGE: ReadonlySet<string | number | null> = new Set([
  502,
  503,
  504,
  "ECONNREFUSED",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
]);

/** Whether the service as a whole does not answer. The messages of such errors are the same for all requests. */
export function isOutage({ status, code }: Pick<ApiError, "status" | "code">): boolean {
  return OUTAGE.has(status ?? code);
}

/** Whether the service says that there is no such object. */
export function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.kind === "not_found";
}

/**
 * Whether the service itself answered 500, and no gateway, to the last try and to each earlier one that may have taken effect:
 * then nothing of the request is running any more.
 */
export function isFromService(error: ApiError): error is ApiError & { readonly code: string } {
  return error.status === 500 && error.code !== null && !error.mayStillRun;
}

/**
 * Whether the service may have rejected a query that is not in the document. A 500 is no refusal: without the query, the pages
 * of the next rounds would be in an unstable order, and the error would be about that instead of about the 500.
 */
export function mayRejectQuery(error: unknown): error is ApiError {
  return error instanceof ApiError && error.kind === "invalid" && error.status !== null;
}

/** What services say about a path that they do not have. */
export const NO_ROUTE = "Endpoint not found.";

/**
 * Whether the service says that it has no such route. Services say so as well if an id in the path is malformed. It says nothing
 * about objects.
 */
export function isMissingRoute({ status, detail }: ApiError): boolean {
  return status === 404 && detail === NO_ROUTE;
}
