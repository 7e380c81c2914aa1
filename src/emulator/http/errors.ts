import type { JsonObject } from "../json.ts";

/** The body of every error: exactly these four keys. A limit has `extra` as well. */
interface ErrorBody {
  readonly type: string;
  readonly code: string;
  readonly detail: string;
  readonly attr: string | null;
  readonly extra?: JsonObject;
}

/** An error that becomes an answer. A few have no body. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly body: ErrorBody | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body?: ErrorBody, headers: Readonly<Record<string, string>> = {}) {
    super(body?.detail ?? `${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** 400: a field of the body, or the whole body, is not valid. Nested field names are joined with `__`. */
export function invalid(code: string, detail: string, attr: string | null = null): ApiError {
  return new ApiError(400, { type: "validation_error", code, detail, attr });
}

/** 400: the body cannot be read at all. */
export function unparsable(detail: string): ApiError {
  return new ApiError(400, { type: "invalid_request", code: "parse_error", detail, attr: null });
}

/** 401 (or 403 on some deployed routes): the key is missing or unknown. */
export function unauthenticated(status: number, code: "not_authenticated" | "authentication_failed"): ApiError {
  const detail =
    code === "not_authenticated"
      ? "Authentication credentials were not provided."
      : "Personal API key found in request Authorization header is invalid.";
  return new ApiError(status, { type: "authentication_error", code, detail, attr: null });
}

/** 403: the key or its user may not do this. */
export function denied(detail: string): ApiError {
  return new ApiError(403, { type: "authentication_error", code: "permission_denied", detail, attr: null });
}

/** 403 with a code of its own. */
export function deniedWith(code: string, detail: string): ApiError {
  return new ApiError(403, { type: "authentication_error", code, detail, attr: null });
}

/** 402: a limit of the plan is reached. */
export function limitExceeded(extra: JsonObject): ApiError {
  const body = { type: "server_error", code: "limit_exceeded", detail: "Resource limit exceeded.", attr: null, extra };
  return new ApiError(402, body);
}

/** 429 that is no rate limit: waiting for some seconds does not help, and there is no `Retry-After`. */
export function tooMany(code: string, detail: string): ApiError {
  return new ApiError(429, { type: "throttled_error", code, detail, attr: null });
}

/** 404 with the usual body. */
export function notFound(detail = "Not found."): ApiError {
  return new ApiError(404, { type: "invalid_request", code: "not_found", detail, attr: null });
}

/** 405 with the usual body. */
export function methodNotAllowed(method: string): ApiError {
  const detail = `Method "${method}" not allowed.`;
  return new ApiError(405, { type: "invalid_request", code: "method_not_allowed", detail, attr: null });
}

/** 415: the route does not accept the content type of the body. */
export function unsupportedMedia(type: string): ApiError {
  const detail = `Unsupported media type "${type}" in request.`;
  return new ApiError(415, { type: "invalid_request", code: "unsupported_media_type", detail, attr: null });
}

/** 429 with the whole number of seconds to wait. */
export function throttled(seconds: number): ApiError {
  const detail = `Request was throttled. Expected available in ${seconds} seconds.`;
  const body = { type: "throttled_error", code: "throttled", detail, attr: null };
  return new ApiError(429, body, { "retry-after": String(seconds) });
}

/** A server error. Deployed servers answer some bad requests with 500, always with this body. */
export function serverError(status = 500): ApiError {
  return new ApiError(status, { type: "server_error", code: "error", detail: "A server error occurred.", attr: null });
}

/** Returns an error for any status, in the words of the service or of a proxy. */
export function errorOfStatus(status: number): ApiError {
  const known = {
    403: denied("Denied."),
    404: notFound(),
    405: methodNotAllowed("this"),
    415: unsupportedMedia("this"),
  };
  const found = Object.entries(known).find(([one]) => Number(one) === status)?.[1];
  if (found !== undefined) return found;
  if (status === 401) return unauthenticated(401, "authentication_failed");
  if (status >= 500) return serverError(status);
  const body = {
    type: "invalid_request",
    code: CODES[status] ?? "refused",
    detail: `Refused with ${status}.`,
    attr: null,
  };
  return new ApiError(status, body);
}

const CODES: Readonly<Record<number, string>> = {
  400: "invalid",
  402: "payment_required",
  408: "request_timeout",
  409: "conflict",
  410: "gone",
  412: "precondition_failed",
  413: "payload_too_large",
  422: "unprocessable",
  423: "locked",
  425: "too_early",
};
