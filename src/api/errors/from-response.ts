import { visible } from "../../model/text/quote.ts";
import type { Hint } from "../../model/command.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json/json.ts";
import { type ServiceRefusal, TOO_MANY_BACKFILLS } from "./causes.ts";
import { CREDENTIAL_CODES, NO_CURRENT_ORGANIZATION } from "../operations/server-quirks.ts";
import { ApiError, oneLine, type ErrorKind } from "./errors.ts";
import { hintFor } from "./hints.ts";
import type { Operation } from "../operations/index.ts";

/** The longest detail in a message. Characters. */
const MAX_DETAIL = 300;

/** How much of a detail is read, because a service may send megabytes. Characters. */
const MAX_READ = 4_000;

/** How much of a detail is searched for secrets, because megabytes would take seconds. Characters. */
const MAX_REDACTED = 64 * 1024;
const LONGEST_SECRET = 16 * 1024;

/** Identifies a request. Every error of the request contains these fields. */
export interface Origin {
  readonly operation: Operation;
  /** The path of the request, without the path of the base URL. */
  readonly path: string;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
}

/** The fields of an error body that may be quoted. */
type ErrorBody = Omit<ServiceRefusal, "status">;

/** Makes the error for an answer that is not a success. `body` is undefined if it was not JSON. */
export function errorFromResponse(origin: Origin, status: number, body: Json | undefined): ApiError {
  const { code, detail, attr, limit } = readErrorBody(body, origin.redact);
  const kind = status === 404 && NO_CURRENT_ORGANIZATION.test(detail) ? "no_organization" : kindOf(status, code);
  const missingPermission = kind === "scope" ? missingPermissionIn(detail) : undefined;
  const stated = [code, detail].filter((part) => part !== null && part !== "").join(": ");
  const field = attr === null ? "" : ` (${attr})`;
  const about = { kind, status, code, attr, detail };
  return new ApiError({
    ...about,
    ...requestLabel(origin),
    hint: hintFor({ ...about, limit, missingPermission, operation: origin.operation, json: isJsonObject(body) }),
    tookEffect: status >= 500 || status === 408 ? "maybe" : "no",
    missingPermission,
    message: `${origin.operation.method} ${origin.path} answered ${String(status)}${stated === "" ? "" : ` ${stated}`}${field}`,
  });
}

/** What an error says besides its request. */
interface Problem {
  readonly code: string;
  /** The end of a sentence. */
  readonly problem: string;
  readonly hint: Hint;
}

/** Makes the error for an answer that this interface does not have: not JSON, too large, or a redirect. */
export function protocolError(origin: Origin, status: number, { code, problem, hint }: Problem): ApiError {
  const message = `${origin.operation.method} ${origin.path} answered ${String(status)}, but ${problem}`;
  return new ApiError({ kind: "protocol", ...requestLabel(origin), status, code, hint, tookEffect: "maybe", message });
}

export interface UnsentProblem extends Omit<Problem, "code"> {
  readonly kind: ErrorKind;
  readonly code?: string;
  /** The number of the try: earlier ones were sent. */
  readonly attempt?: number;
}

/** Makes the error for a request that was not sent. */
export function errorBeforeSending(
  origin: Origin,
  { kind, code, problem, hint, attempt = 1 }: UnsentProblem,
): ApiError {
  const again = attempt > 1 ? " again" : "";
  const message = `${origin.operation.method} ${origin.path} was not sent${again}: ${problem}`;
  return new ApiError({ kind, ...requestLabel(origin), code: code ?? null, hint, tookEffect: "no", message });
}

/** The origin of a request whose path is not known yet, or whose errors quote nothing that came from outside. */
export function originOf(operation: Operation): Origin {
  return { operation, path: `${operation.path}/`, redact: (text) => text };
}

export function requestLabel({ operation, path }: Origin): Pick<ApiError, "operation" | "method" | "path"> {
  return { operation: operation.name, method: operation.method, path };
}

/** The code is checked before the status: on some routes deployed servers answer 403 if the key is missing or wrong. */
function kindOf(status: number, code: string | null): ErrorKind {
  const credentials = code !== null && CREDENTIAL_CODES.has(code);
  if (status === 401 || (status === 403 && credentials)) return "auth";
  if (status === 403) return "scope";
  if (status === 404 || status === 410) return "not_found";
  if (status === 408) return "timeout";
  if (status === 429) return code === TOO_MANY_BACKFILLS ? "invalid" : "throttled";
  return status >= 500 ? "server" : "invalid";
}

/** The permission that a refusal names: the service has no field for it. */
function missingPermissionIn(detail: string): string | undefined {
  return /missing required scope '([\w:-]+)'/iu.exec(detail)?.[1];
}

/** Reads the quotable fields. The rest of a body is never shown, because services quote requests, including secrets. */
function readErrorBody(body: Json | undefined, redact: (text: string) => string): ErrorBody {
  if (!isJsonObject(body)) return { code: null, detail: "", attr: null, limit: undefined };
  // Redacted before it is cut, because a cut secret would not be recognized any more.
  const word = (value: Json | undefined, limit: number): string =>
    typeof value === "string" && !EMPTY_TEXTS.has(value)
      ? visible(oneLine(joinLines(redactNamedValues(redactedBeginning(value, redact).slice(0, MAX_READ))), limit))
      : "";
  return {
    code: word(body["code"], 64) || null,
    detail: word(body["detail"], MAX_DETAIL),
    attr: word(body["attr"], 128) || null,
    limit: readLimit(body["extra"]),
  };
}

function readLimit(extra: Json | undefined): ServiceRefusal["limit"] {
  const { limit, current }: JsonObject = isJsonObject(extra) ? extra : {};
  return typeof limit === "number" && typeof current === "number" ? { limit, current } : undefined;
}

/** Deployed servers send these values if one of several invites is invalid. */
const EMPTY_TEXTS: ReadonlySet<string> = new Set(["{}", "[]"]);

/**
 * Joins the lines of a text. Validators write a first line with the number of problems, then each problem on its own
 * line.
 */
function joinLines(text: string): string {
  return text.trim().replaceAll(/\s*[\r\n\u2028\u2029]\s*/gu, " ");
}

/** The redacted beginning of a text. Text near the cut is dropped, because it may be a part of a secret. */
function redactedBeginning(text: string, redact: (text: string) => string): string {
  if (text.length <= MAX_REDACTED) return redact(text);
  const redacted = redact(text.slice(0, MAX_REDACTED));
  return redacted.slice(0, Math.max(0, redacted.length - LONGEST_SECRET));
}

/**
 * Redacts values by their name, such as `password=abc` and `'password': 'abc'`, because validators quote their input.
 */
function redactNamedValues(text: string): string {
  const name = String.raw`[\w-]*(?:secret|passw|passphrase|private_?key|access_?key|api_?key|credential|authorization|token)[\w-]*`;
  const pair = new RegExp(`(${name}(?:=|["']?\\s*[:=]\\s*(?=["'])))("[^"]*"?|'[^']*'?|[^\\s"',;&}]+)`, "giu");
  return text.replace(pair, "$1[redacted]");
}
