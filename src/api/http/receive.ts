import type { Json } from "../../model/json/json.ts";
import { errorFromResponse, protocolError, type Origin } from "../errors/from-response.ts";
import { ApiError, isOutage, withFields } from "../errors/errors.ts";
import { errorFromNetwork } from "../errors/from-network.ts";
import { basePathHint, notJsonError, redirectError, withWebPage } from "../errors/unexpected-response.ts";
import { MAX_DEPTH, parseJson, type Parsed } from "../json/parse.ts";
import type { PreparedRequest } from "./request.ts";
import { MAX_BODY } from "./transport.ts";
import { firstValue, type Exchange, type Headers } from "./exchange.ts";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";

type SentRequest = Pick<PreparedRequest, "origin" | "raw">;

/** The response to a successful request. */
export interface Answer {
  readonly status: number;
  /** Undefined if there was no body, or if another format than JSON was requested. */
  readonly body: Json | undefined;
  /** The unchanged body, if another format than JSON was requested. */
  readonly bytes?: Uint8Array;
}

/**
 * Turns the exchange of one try into an answer or an error.
 *
 * @param service the base URL of the service
 */
export function receive(request: SentRequest, service: URL, exchange: DecodedExchange): Answer | ApiError {
  const result = receiveExchange(request, service, exchange);
  if (!(result instanceof ApiError) || result.status === null || !isOutage(result)) return result;
  const detail = result.detail === "" ? "" : ` (${result.detail})`;
  return withFields(result, { message: `the service at ${service.host} answers ${String(result.status)}${detail}` });
}

function receiveExchange(request: SentRequest, service: URL, exchange: DecodedExchange): Answer | ApiError {
  const { origin } = request;
  if (exchange.type === "failure") {
    // The status alone identifies the error. Its body is not needed.
    if (exchange.status !== null && exchange.status >= 400)
      return errorFromResponse(origin, exchange.status, undefined);
    return errorFromNetwork(origin, service.host, exchange);
  }
  const { status, headers } = exchange;
  if (status >= 300 && status < 400) return redirectError(origin, service, status, firstValue(headers["location"]));
  if (exchange.type === "too_large")
    return status >= 400 ? errorFromResponse(origin, status, undefined) : tooLarge(origin, status);
  if (exchange.type === "undecodable") return undecodable(origin, exchange);
  return receiveBody(request, service, exchange);
}

function undecodable(
  origin: Origin,
  { status, problem, because }: Extract<DecodedExchange, { readonly type: "undecodable" }>,
): ApiError {
  if (status >= 400) return errorFromResponse(origin, status, undefined);
  // A body that was cut off may arrive completely the next time.
  if (problem === "cut") return cutAnswerError(origin, status, because);
  return protocolError(origin, status, { code: problem, problem: because, hint: ENCODED_HINT });
}

function cutAnswerError(origin: Origin, status: number, problem: string): ApiError {
  return protocolError(origin, status, { code: "invalid_json", problem, hint: CUT_HINT });
}

const CUT_HINT = "Run it again. If it happens again, check the proxies and gateways between here and the service.";
const ENCODED_HINT =
  "driftline reads gzip, deflate and br. Check the proxies and gateways between here and the service.";

function receiveBody(
  { origin, raw }: SentRequest,
  service: URL,
  { status, headers, body }: Extract<Exchange, { readonly type: "answer" }>,
): Answer | ApiError {
  if (raw && status < 400) return { status, body: undefined, bytes: body };
  const parsed = parseJson(body);
  const type = mediaType(headers);
  if ("value" in parsed) {
    if (status < 400) return { status, body: parsed.value };
    const error = errorFromResponse(origin, status, parsed.value);
    // Every service with this interface has the paths without ids.
    const hint = error.kind === "not_found" && !origin.operation.path.includes(":") ? basePathHint(service) : undefined;
    return hint === undefined ? error : withFields(error, { hint });
  }
  if (status >= 400) {
    const error = errorFromResponse(origin, status, raw ? csvError(body) : undefined);
    return withWebPage(error, service, { type, body }, origin.redact);
  }
  const problem = BECAUSE[parsed.problem];
  if (problem !== undefined) {
    const hint = "Check this object in the service: no object of this interface looks like that.";
    return protocolError(origin, status, { code: parsed.problem, problem, hint });
  }
  // A JSON body that does not parse was probably cut off. Another media type means another kind of server.
  return /json/iu.test(type)
    ? cutAnswerError(origin, status, "its body is not complete JSON")
    : notJsonError(origin, service, status, { type, body });
}

type ParseProblem = Extract<Parsed, { readonly problem: unknown }>["problem"];

const BECAUSE: Readonly<Partial<Record<ParseProblem, string>>> = {
  too_deep: `its JSON is nested deeper than ${String(MAX_DEPTH)} levels`,
  not_a_number: "its body contains NaN or Infinity, which is not valid JSON",
};

function tooLarge(origin: Origin, status: number): ApiError {
  const problem = `its body is larger than ${String(MAX_BODY / 1024 / 1024)} MiB`;
  const hint = "Request fewer rows at once, or check the object in the service.";
  return protocolError(origin, status, { code: "too_large", problem, hint });
}

function mediaType(headers: Headers): string {
  const [type = ""] = (firstValue(headers["content-type"]) ?? "").split(";", 1);
  return /^[\w.+-]+\/[\w.+-]+$/u.test(type.trim()) ? type.trim().toLowerCase() : "an unknown type";
}

/** The longest CSV error body. Bytes. */
const MAX_CSV_ERROR = 10_000;

/**
 * Reads the error body of a request for `format=csv`. Deployed servers write it as CSV too: names in the first line,
 * values in the second. Returns undefined for anything else.
 */
function csvError(body: Uint8Array): Json | undefined {
  if (body.length > MAX_CSV_ERROR) return undefined;
  const [names, values] = csvRows(new TextDecoder().decode(body));
  if (names === undefined || values === undefined || !names.includes("code")) return undefined;
  return Object.fromEntries(names.map((name, index): [string, Json] => [name, values[index] || null]));
}

/** The cells of each row. A quoted cell may contain commas, line breaks and doubled quotes. */
function csvRows(text: string): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  for (const [, quoted, plain = "", end = ""] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gu)) {
    found.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end.endsWith("\n")) found.push([]);
    if (end === "") break;
  }
  return found;
}

/** An exchange with a decompressed body, or why the body could not be decompressed. */
type DecodedExchange =
  | Exchange
  | (Pick<Extract<Exchange, { readonly type: "answer" }>, "status" | "headers"> & {
      readonly type: "undecodable";
      /** `cut` if the rest of the body is missing. */
      readonly problem: "cut" | "encoded";
      readonly because: string;
    });

type Decoder = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * Decompresses the body of a response. Some gateways use an encoding that was not requested. A few compressed bytes can
 * expand to gigabytes, so the limit for plain bodies applies to the result as well.
 */
export async function decode(exchange: Exchange): Promise<DecodedExchange> {
  if (exchange.type !== "answer") return exchange;
  const { status, headers, body } = exchange;
  const encoding = [headers["content-encoding"] ?? ""].flat().join(",").trim().toLowerCase();
  if (encoding === "" || encoding === "identity" || body.length === 0) return exchange;
  const failed = { type: "undecodable", status, headers } as const;
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  const label = /^[a-z0-9-]{1,20}$/u.test(encoding) ? encoding : "an unknown way";
  if (decoder === undefined) return { ...failed, problem: "encoded", because: `its body is encoded in ${label}` };
  try {
    return { ...exchange, body: await decoder(body, { maxOutputLength: MAX_BODY }) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_BUFFER_TOO_LARGE") return { type: "too_large", status, headers };
    if (code === "Z_BUF_ERROR") return { ...failed, problem: "cut", because: `its body is incomplete ${label}` };
    return { ...failed, problem: "encoded", because: `its body is labelled as ${label}, but is not` };
  }
}
