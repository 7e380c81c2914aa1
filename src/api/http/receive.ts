import type { Json } from "../../model/json.ts";
import { errorFromResponse, protocolError, type Origin } from "../errors/from-response.ts";
import { ApiError } from "../errors/errors.ts";
import type { Decoded } from "./decode.ts";
import { errorFromNetwork } from "../errors/from-network.ts";
import { MAX_DEPTH, parseJson, type Parsed } from "../json/parse.ts";
import { MAX_BODY, type Exchange, type Headers } from "./transport.ts";

/** What a successful request came back with. */
export interface Answer {
  readonly status: number;
  /** Undefined where there was no body, or where it was asked for in another form than JSON. */
  readonly body: Json | undefined;
  /** The body as it came, where it was asked for in another form than JSON. */
  readonly bytes?: Uint8Array;
}

/**
 * What came of a try: an answer of the interface, or the error that it stands for. `service` is the service's base URL; `raw`
 * leaves a success as it came.
 */
export function receive(origin: Origin, service: URL, exchange: Decoded, raw: boolean): Answer | ApiError {
  if (exchange.type === "failure") {
    // The status of a refusal says enough, its body does not matter.
    if (exchange.status !== null && exchange.status >= 400)
      return errorFromResponse(origin, exchange.status, undefined);
    return errorFromNetwork(origin, service.host, exchange);
  }
  const { status, headers } = exchange;
  if (status >= 300 && status < 400) return redirectError(origin, service, status, headers);
  if (exchange.type === "too_large")
    return status >= 400 ? errorFromResponse(origin, status, undefined) : tooLarge(origin, status);
  if (exchange.type === "undecodable") return undecodable(origin, exchange);
  return receiveBody(origin, exchange, raw);
}

function undecodable(
  origin: Origin,
  { status, problem, because }: Extract<Decoded, { readonly type: "undecodable" }>,
): ApiError {
  if (status >= 400) return errorFromResponse(origin, status, undefined);
  // What was cut off on its way may arrive the next time.
  if (problem === "cut") return protocolError(origin, status, "invalid_json", because, CUT_HINT);
  return protocolError(origin, status, problem, because, ENCODED_HINT);
}

const CUT_HINT = "Run it again. If it happens again, look at what stands between here and the service.";
const ENCODED_HINT = "driftline takes gzip, deflate and br: look at what stands between here and the service.";

function receiveBody(
  origin: Origin,
  { status, headers, body }: Extract<Exchange, { readonly type: "answer" }>,
  raw: boolean,
): Answer | ApiError {
  if (raw && status < 400) return { status, body: undefined, bytes: body };
  const parsed = parseJson(body);
  const value = "value" in parsed ? parsed.value : undefined;
  if (status >= 400) return errorFromResponse(origin, status, value ?? (raw ? csvError(body) : undefined));
  return "value" in parsed ? { status, body: value } : unreadable(origin, status, parsed.problem, headers);
}

/** A success that cannot be read. */
function unreadable(origin: Origin, status: number, problem: Problem, headers: Headers): ApiError {
  const because = BECAUSE[problem];
  if (because === undefined) return notJson(origin, status, mediaType(headers));
  return protocolError(
    origin,
    status,
    problem,
    because,
    "Look at what the service holds there: no object of this interface is like that.",
  );
}

type Problem = Extract<Parsed, { readonly problem: unknown }>["problem"];

const BECAUSE: Readonly<Partial<Record<Problem, string>>> = {
  too_deep: `its JSON nests deeper than ${String(MAX_DEPTH)} levels`,
  not_a_number: "it holds NaN or Infinity, which JSON does not have",
};

/** `Retry-After` in milliseconds from `now`, null where there is none that can be read. Seconds, or an HTTP date, which may have passed. */
export function retryAfter(headers: Headers, now: number): number | null {
  const value = single(headers["retry-after"])?.trim();
  if (value === undefined || value === "") return null;
  if (/^\d+(\.\d+)?$/u.test(value)) return Math.min(Math.ceil(Number(value) * 1000), LONGEST_WAIT);
  // The parser finds a date in nearly anything: "-5" is one, and "99 bottles".
  const date = DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.min(date - now, LONGEST_WAIT);
}

/** As HTTP writes them, or as ISO does. */
const DATE = /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? |\d{4}-\d\d-\d\dT)/iu;
/** Longer than any run: what is more is as good as never. Milliseconds. */
const LONGEST_WAIT = 10 ** 12;

function notJson(origin: Origin, status: number, type: string): ApiError {
  // JSON by its name that does not parse was cut off on its way; another type is another kind of server.
  if (/json/iu.test(type)) {
    return protocolError(origin, status, "invalid_json", "its body is no whole JSON", CUT_HINT);
  }
  return protocolError(
    origin,
    status,
    "not_json",
    `not with JSON but ${type}`,
    `Is the URL right? driftline expected JSON, got ${type}.`,
  );
}

function tooLarge(origin: Origin, status: number): ApiError {
  const problem = `its body is larger than ${String(MAX_BODY / 1024 / 1024)} MiB`;
  return protocolError(
    origin,
    status,
    "too_large",
    problem,
    "Ask for less at once, or look at what the service holds there.",
  );
}

/** Never followed: the key belongs to the host that it was given for. */
function redirectError(origin: Origin, service: URL, status: number, headers: Headers): ApiError {
  const location = single(headers["location"]);
  const to =
    location !== undefined && URL.canParse(location, service.href) ? new URL(location, service.href) : undefined;
  // Protocol and host only: an address may carry credentials, in its path and query as well.
  const target = to === undefined ? "an unreadable address" : origin.redact(`${to.protocol}//${to.host}`);
  return protocolError(
    origin,
    status,
    "redirect",
    `redirects are not followed`,
    to !== undefined && to.origin === service.origin
      ? "It leads to another path of the same service: check the path in the URL, and what stands before the service."
      : `The service redirects to ${target}. If that is the right one, use it as the URL.`,
  );
}

function mediaType(headers: Headers): string {
  const [type = ""] = (single(headers["content-type"]) ?? "").split(";", 1);
  return /^[\w.+-]+\/[\w.+-]+$/u.test(type.trim()) ? type.trim().toLowerCase() : "an unknown type";
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** No complaint is longer. Bytes. */
const MAX_LENGTH = 10_000;

/**
 * The error body of a request for `format=csv`: deployed servers write it as CSV too, names in the first line and values in
 * the second. Undefined where it is something else.
 */
function csvError(body: Uint8Array): Json | undefined {
  if (body.length > MAX_LENGTH) return undefined;
  const [names, values] = rows(new TextDecoder().decode(body));
  if (names === undefined || values === undefined || !names.includes("code")) return undefined;
  return Object.fromEntries(names.map((name, index): [string, Json] => [name, values[index] || null]));
}

/** Cells by row; a cell in quotes may hold commas, line breaks and doubled quotes. */
function rows(text: string): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  for (const [, quoted, plain = "", end = ""] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gu)) {
    found.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end.endsWith("\n")) found.push([]);
    if (end === "") break;
  }
  return found;
}
