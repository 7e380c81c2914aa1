import { AssertionError } from "node:assert";
import { maxHeaderSize } from "node:http";
import { StatusError } from "../http/transport.ts";
import type { Exchange } from "../http/exchange.ts";
import { requestLabel, type Origin } from "./from-response.ts";
import { ApiError, isOutage, oneLine } from "./errors.ts";

/** Why no complete answer arrived. */
type NetworkFailure = Extract<Exchange, { readonly type: "failure" }>;

/**
 * Makes the error for a failed exchange. `host` is the host of the service with its port.
 *
 * @throws the error of the exchange, if it is a mistake in code
 */
export function errorFromNetwork(origin: Origin, host: string, failure: NetworkFailure): ApiError {
  const { reached, status, error, proxy } = failure;
  const code = codeOf(error);
  if (code === null || MISTAKES.some((type) => error instanceof type)) throw error;
  const timeout = code === "ETIMEDOUT" || /TIMEOUT/u.test(code);
  const peer = proxy === undefined ? host : `the proxy ${proxy.url} (from ${proxy.variable})`;
  const problem = origin.redact(networkProblem(code, failure, peer, origin.redact));
  const start = `${origin.operation.method} ${origin.path}`;
  const failed = isOutage({ status, code }) ? problem : `${start} failed: ${problem}`;
  return new ApiError({
    kind: timeout ? "timeout" : "network",
    ...requestLabel(origin),
    status,
    code,
    hint: proxy === undefined ? networkHint(code, failure) : proxyHint(proxy, host, error),
    tookEffect: reached ? "maybe" : "no",
    message: status === null ? failed : `${start} answered ${String(status)}, but ${problem}`,
  });
}

/** Whether the certificate of the service was rejected. */
export function isCertificateError(error: ApiError): boolean {
  return isCertificate(error.code);
}

/** Whether another try would fail in the same way, for example because a certificate is not trusted. */
export function isPermanent(error: ApiError): boolean {
  return isCertificate(error.code) || PERMANENT.has(error.code);
}

/** The code of an answer that is not valid HTTP. */
const NO_HTTP = "DRIFTLINE_NO_HTTP";
const LARGE_HEADERS = "UND_ERR_HEADERS_OVERFLOW";

const PERMANENT: ReadonlySet<string | null> = new Set([
  NO_HTTP,
  LARGE_HEADERS,
  // Each try could take as long again.
  "DRIFTLINE_BODY_TIMEOUT",
  "DRIFTLINE_PROXY",
  "UND_ERR_INVALID_ARG",
  "UND_ERR_CLOSED",
  "UND_ERR_DESTROYED",
]);

/** Errors of the language and of assertions. Those of the system, of TLS and of undici are no such errors, and each has a code. */
const MISTAKES = [TypeError, RangeError, ReferenceError, SyntaxError, URIError, AssertionError];

/** The error code if a server answers TLS in plain text. */
const NO_TLS = "ERR_SSL_WRONG_VERSION_NUMBER";

/** The code of an error, otherwise the code of its cause. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (invalidPart(error) !== undefined) return NO_HTTP;
  const code: unknown = "code" in error ? error.code : undefined;
  if (typeof code === "string") return oneLine(code, 64);
  return error.cause === undefined ? null : codeOf(error.cause);
}

/** Which rule of HTTP the answer breaks, in undici's words; undefined for other errors. */
function invalidPart(error: Error): string | undefined {
  if (error.name === "HTTPParserError") return oneLine(/\((.*)\)/u.exec(error.message)?.[1] ?? error.message, 100);
  if ("code" in error && error.code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return "Contradicting lengths";
  return error instanceof StatusError ? error.message : undefined;
}

function networkProblem(
  code: string,
  { error, reached }: NetworkFailure,
  peer: string,
  redact: Origin["redact"],
): string {
  if (code === "ECONNREFUSED") return `${peer} refused the connection (ECONNREFUSED)`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `the name of ${peer} was not found (${code})`;
  if (code === "UND_ERR_CONNECT_TIMEOUT") return `${peer} took too long to connect`;
  if (code === "UND_ERR_HEADERS_TIMEOUT") return `${peer} did not answer in time`;
  if (code === "UND_ERR_BODY_TIMEOUT") return "the answer stopped arriving";
  if (code === "DRIFTLINE_BODY_TIMEOUT") return "the answer arrived too slowly";
  if (code === NO_HTTP && error instanceof Error)
    return `the answer of ${peer} is not valid HTTP (${invalidPart(error) ?? ""})`;
  if (code === LARGE_HEADERS) return `the headers of the answer are larger than ${String(maxHeaderSize / 1024)} KiB`;
  if (code === "DRIFTLINE_ENDED") return "it was cancelled before its answer";
  if (code === NO_TLS) return `${peer} does not speak TLS (${code})`;
  if (isCertificate(code)) return `the certificate of ${peer} is not trusted (${code})`;
  const text = error instanceof Error ? oneLine(redact(error.message), 200) : "unknown failure";
  const refused = proxyStatus(error);
  if (refused !== undefined) return `${peer} answered ${refused}`;
  return reached
    ? `the connection broke before the answer was complete (${code})`
    : `no connection to ${peer}: ${text}`;
}

function networkHint(code: string, { reached }: NetworkFailure): string {
  if (code === "ECONNREFUSED")
    return "Nothing listens at this address. Check --url or DRIFTLINE_URL, and the proxy variables if you use a proxy.";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return "Check the host in --url or DRIFTLINE_URL, and whether a proxy is needed (HTTPS_PROXY, NO_PROXY).";
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT")
    return "Check the network, and whether a proxy is needed (HTTPS_PROXY, NO_PROXY).";
  if (code === NO_TLS) return "Check --url or DRIFTLINE_URL: the service may use http or another port.";
  if (isCertificate(code))
    return "Set NODE_EXTRA_CA_CERTS to the certificate file of the issuing authority. Do not disable the check.";
  if (code === NO_HTTP)
    return "Check --url or DRIFTLINE_URL (host, port, http or https), and the proxies and gateways before the service.";
  if (code === LARGE_HEADERS) return "Check the proxies and gateways between here and the service.";
  if (code === "DRIFTLINE_PROXY")
    return "Correct the variable, or remove it. A % in a user or a password is written as %25.";
  return reached
    ? "Run it again. If it happens again, check the health of the service and of any proxy in front of it."
    : "Check the URL and the network.";
}

/** The status with which a proxy refused a tunnel. */
function proxyStatus(error: unknown): string | undefined {
  return error instanceof Error ? /^Proxy response \((\d+)\)/u.exec(error.message)?.[1] : undefined;
}

function proxyHint({ variable }: { readonly variable: string }, host: string, error: unknown): string {
  const direct = `If the service is reached without a proxy, add ${new URL(`http://${host}`).hostname} to NO_PROXY.`;
  if (proxyStatus(error) === "407")
    return `The proxy wants a user and a password: write them before its host in ${variable}. ${direct}`;
  return `Check the proxy in ${variable}. ${direct}`;
}

function isCertificate(code: string | null): boolean {
  return /CERT|^ERR_TLS|UNABLE_TO_|SELF_SIGNED|^UND_ERR_PRX_TLS$|^ERR_SSL|^EPROTO$/u.test(code ?? "");
}
