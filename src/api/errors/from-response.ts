import { isJsonObject, type Json } from "../../model/json.ts";
import { CREDENTIAL_CODES } from "../operations/server-quirks.ts";
import { ApiError, oneLine, type ErrorKind } from "./errors.ts";
import { hintFor } from "./hints.ts";
import type { Operation } from "../operations/index.ts";

/** Longest detail that a message takes over. Characters. */
const MAX_DETAIL = 300;

/** How much of a detail is looked at: a service may write one of megabytes. Characters. */
const MAX_READ = 4_000;

/** How much of one is searched for secrets: megabytes would take seconds. Characters. */
const MAX_REDACTED = 64 * 1024;
const LONGEST_SECRET = 16 * 1024;

/** Who asked: what every error of a request has in common. */
export interface Origin {
  readonly operation: Operation;
  /** As sent, less the base URL's own path. */
  readonly path: string;
  /** Takes secrets out of text. */
  readonly redact: (text: string) => string;
}

/** What a body is allowed to say in an error. */
interface ErrorBody {
  readonly code: string | null;
  readonly detail: string;
  readonly attr: string | null;
}

/** The error that an answer other than a success stands for. `body` is undefined where it was no JSON. */
export function errorFromResponse(origin: Origin, status: number, body: Json | undefined): ApiError {
  const { code, detail, attr } = readErrorBody(body, origin.redact);
  const kind = kindOf(status, code);
  const missingScope = kind === "scope" ? missingScopeIn(detail) : undefined;
  const said = [code, detail].filter((part) => part !== null && part !== "").join(": ");
  const about = attr === null ? "" : ` (${attr})`;
  return new ApiError({
    kind,
    ...requestLabel(origin),
    status,
    code,
    attr,
    hint: hintFor({ kind, status, detail, missingScope, operation: origin.operation, json: isJsonObject(body) }),
    effect: status >= 500 || status === 408 ? "maybe" : "no",
    missingScope,
    message: `${origin.operation.method} ${origin.path} answered ${String(status)}${said === "" ? "" : ` ${said}`}${about}`,
  });
}

/** An answer that is no answer of this interface: not JSON, too large, a redirect. */
export function protocolError(origin: Origin, status: number, code: string, problem: string, hint: string): ApiError {
  const message = `${origin.operation.method} ${origin.path} answered ${String(status)}, but ${problem}`;
  return new ApiError({
    kind: "protocol",
    ...requestLabel(origin),
    status,
    code,
    attr: null,
    hint,
    effect: "maybe",
    message,
  });
}

/** A request that was not sent. */
export function errorBeforeSending(
  origin: Origin,
  kind: ErrorKind,
  code: string | null,
  problem: string,
  hint: string,
): ApiError {
  const message = `${origin.operation.method} ${origin.path} was not sent: ${problem}`;
  return new ApiError({ kind, ...requestLabel(origin), status: null, code, attr: null, hint, effect: "no", message });
}

/** The fields that say which request it was. */
export function requestLabel({ operation, path }: Origin): Pick<ApiError, "operation" | "method" | "path"> {
  return { operation: operation.name, method: operation.method, path };
}

/** By code before status: on some routes deployed servers answer 403 where a key is missing or wrong. */
function kindOf(status: number, code: string | null): ErrorKind {
  const credentials = code !== null && CREDENTIAL_CODES.has(code);
  if (status === 401 || (status === 403 && credentials)) return "auth";
  if (status === 403) return "scope";
  if (status === 404 || status === 410) return "not_found";
  if (status === 408) return "timeout";
  if (status === 429) return "throttled";
  return status >= 500 ? "server" : "invalid";
}

/** The scope that a refusal names: the service has no field for it. */
function missingScopeIn(detail: string): string | undefined {
  return /missing required scope '([\w:-]+)'/iu.exec(detail)?.[1];
}

/** Nothing else of a body reaches a message: bodies quote what was sent, secrets included. */
function readErrorBody(body: Json | undefined, redact: (text: string) => string): ErrorBody {
  if (!isJsonObject(body)) return { code: null, detail: "", attr: null };
  // Redacted before it is cut, or the cut could leave a part of a secret that no longer looks like one.
  const word = (value: Json | undefined, limit: number): string =>
    typeof value === "string" && !EMPTY.has(value)
      ? oneLine(joinLines(concealPairs(beginning(value, redact).slice(0, MAX_READ))), limit)
      : "";
  return {
    code: word(body["code"], 64) || null,
    detail: word(body["detail"], MAX_DETAIL),
    attr: word(body["attr"], 128) || null,
  };
}

/** What deployed servers say where one of several invites is bad. */
const EMPTY: ReadonlySet<string> = new Set(["{}", "[]"]);

/** Validators give each problem and its place a line of their own, under one that only counts them. */
function joinLines(text: string): string {
  return text.trim().replaceAll(/\s*[\r\n\u2028\u2029]\s*/gu, " ");
}

/** The beginning of a text without secrets. What stands near a cut may be a part of one, and is left out. */
function beginning(text: string, redact: (text: string) => string): string {
  if (text.length <= MAX_REDACTED) return redact(text);
  const redacted = redact(text.slice(0, MAX_REDACTED));
  return redacted.slice(0, Math.max(0, redacted.length - LONGEST_SECRET));
}

/** `password=abc` and `'password': 'abc'` in a text, as validators quote their input: concealed by name. */
function concealPairs(text: string): string {
  const name = String.raw`[\w-]*(?:secret|passw|passphrase|private_?key|access_?key|api_?key|credential|authorization|token)[\w-]*`;
  const pair = new RegExp(`(${name}(?:=|["']?\\s*[:=]\\s*(?=["'])))("[^"]*"?|'[^']*'?|[^\\s"',;&}]+)`, "giu");
  return text.replace(pair, "$1[redacted]");
}
