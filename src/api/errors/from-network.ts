import { requestLabel, type Origin } from "./from-response.ts";
import { ApiError, oneLine } from "./errors.ts";

/** Why no whole answer arrived. */
export interface NetworkFailure {
  /** Whether the request was written to a connection: from then on nobody knows what the service did with it. */
  readonly reached: boolean;
  /** Status of the answer whose body did not arrive whole. */
  readonly status: number | null;
  readonly error: unknown;
}

/** The error that a broken exchange stands for. `host` is the service's, with its port. */
export function errorFromNetwork(origin: Origin, host: string, { reached, status, error }: NetworkFailure): ApiError {
  const code = codeOf(error);
  const timeout = code === "ETIMEDOUT" || /TIMEOUT/u.test(code ?? "");
  const problem = origin.redact(problemOf(code, error, reached, host));
  const start = `${origin.operation.method} ${origin.path}`;
  return new ApiError({
    kind: timeout ? "timeout" : "network",
    ...requestLabel(origin),
    status,
    code,
    attr: null,
    hint: hintFor(code, error, reached),
    effect: reached ? "maybe" : "no",
    message: status === null ? `${start} failed: ${problem}` : `${start} answered ${String(status)}, but ${problem}`,
  });
}

/** Whether the service could not prove who it is. */
export function isCertificateError(error: ApiError): boolean {
  return isCertificate(error.code);
}

/** Whether trying again could help: a certificate that is not trusted stays so. */
export function isLasting(error: ApiError): boolean {
  return (
    isCertificate(error.code) ||
    error.code === "DRIFTLINE_PROXY" ||
    error.code === "UND_ERR_INVALID_ARG" ||
    error.code === "UND_ERR_CLOSED" ||
    error.code === "UND_ERR_DESTROYED"
  );
}

/** What TLS makes of an answer in plain text. */
const NO_TLS = "ERR_SSL_WRONG_VERSION_NUMBER";

/** The code of an error or, where that has none, of what caused it. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code: unknown = "code" in error ? error.code : undefined;
  if (typeof code === "string") return oneLine(code, 64);
  return error.cause === undefined ? null : codeOf(error.cause);
}

function problemOf(code: string | null, error: unknown, reached: boolean, host: string): string {
  if (code === "ECONNREFUSED") return `${host} refused the connection (ECONNREFUSED)`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `the name of ${host} was not found (${code})`;
  if (code === "UND_ERR_CONNECT_TIMEOUT") return `${host} took too long to connect`;
  if (code === "UND_ERR_HEADERS_TIMEOUT") return "no answer came in time";
  if (code === "UND_ERR_BODY_TIMEOUT") return "the answer stopped coming";
  if (code === "DRIFTLINE_BODY_TIMEOUT") return "the answer came too slowly to wait for its end";
  if (code === NO_TLS) return `${host} does not speak TLS (${code})`;
  if (isCertificate(code)) return `the certificate of ${host} is not trusted (${code ?? ""})`;
  const text = error instanceof Error ? oneLine(error.message, 200) : "unknown failure";
  return reached
    ? `the connection broke before the answer was whole (${code ?? text})`
    : `no connection to ${host}: ${text}`;
}

function hintFor(code: string | null, error: unknown, reached: boolean): string {
  if (code === "ECONNREFUSED")
    return "Nothing listens there: check --url or DRIFTLINE_URL, and the proxy's variables if there is one.";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return "Check the host in --url or DRIFTLINE_URL, and whether a proxy is needed (HTTPS_PROXY, NO_PROXY).";
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT")
    return "Check the network, and whether a proxy is needed (HTTPS_PROXY, NO_PROXY).";
  if (code === NO_TLS) return "Check the protocol in --url or DRIFTLINE_URL: it may be http there, or another port.";
  if (isCertificate(code))
    return "Name the file of the issuing authority's certificate in NODE_EXTRA_CA_CERTS; never switch the check off.";
  if (error instanceof Error && /proxy/iu.test(error.message))
    return "Check the proxy in HTTPS_PROXY or HTTP_PROXY, its user and password included.";
  return reached
    ? "Run it again. If it happens again, look at the health of the service and of what stands before it."
    : "Check the URL and the network.";
}

function isCertificate(code: string | null): boolean {
  return /CERT|^ERR_TLS|UNABLE_TO_|SELF_SIGNED|^UND_ERR_PRX_TLS$|^ERR_SSL|^EPROTO$/u.test(code ?? "");
}
