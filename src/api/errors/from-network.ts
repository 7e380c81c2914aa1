import { requestLabel, type Origin } from "./from-response.ts";
import { ApiError, oneLine } from "./errors.ts";

/** Why no complete answer arrived. */
export interface NetworkFailure {
  /** Whether the request was written to a connection. If so, the service may have processed it. */
  readonly reached: boolean;
  /** Status of the answer if its body did not arrive completely. */
  readonly status: number | null;
  readonly error: unknown;
}

/** Makes the error for a failed exchange. `host` is the host of the service with its port. */
export function errorFromNetwork(origin: Origin, host: string, { reached, status, error }: NetworkFailure): ApiError {
  const code = codeOf(error);
  const timeout = code === "ETIMEDOUT" || /TIMEOUT/u.test(code ?? "");
  const problem = origin.redact(networkProblem(code, error, reached, host));
  const start = `${origin.operation.method} ${origin.path}`;
  return new ApiError({
    kind: timeout ? "timeout" : "network",
    ...requestLabel(origin),
    status,
    code,
    attr: null,
    hint: networkHint(code, error, reached),
    effect: reached ? "maybe" : "no",
    message: status === null ? `${start} failed: ${problem}` : `${start} answered ${String(status)}, but ${problem}`,
  });
}

/** Whether the certificate of the service was rejected. */
export function isCertificateError(error: ApiError): boolean {
  return isCertificate(error.code);
}

/** Whether another try would fail in the same way, for example because a certificate is not trusted. */
export function isPermanent(error: ApiError): boolean {
  return (
    isCertificate(error.code) ||
    error.code === "DRIFTLINE_PROXY" ||
    error.code === "UND_ERR_INVALID_ARG" ||
    error.code === "UND_ERR_CLOSED" ||
    error.code === "UND_ERR_DESTROYED"
  );
}

/** The error code if a server answers TLS in plain text. */
const NO_TLS = "ERR_SSL_WRONG_VERSION_NUMBER";

/** The code of an error, otherwise the code of its cause. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code: unknown = "code" in error ? error.code : undefined;
  if (typeof code === "string") return oneLine(code, 64);
  return error.cause === undefined ? null : codeOf(error.cause);
}

function networkProblem(code: string | null, error: unknown, reached: boolean, host: string): string {
  if (code === "ECONNREFUSED") return `${host} refused the connection (ECONNREFUSED)`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `the name of ${host} was not found (${code})`;
  if (code === "UND_ERR_CONNECT_TIMEOUT") return `${host} took too long to connect`;
  if (code === "UND_ERR_HEADERS_TIMEOUT") return "no answer came in time";
  if (code === "UND_ERR_BODY_TIMEOUT") return "the answer stopped arriving";
  if (code === "DRIFTLINE_BODY_TIMEOUT") return "the answer arrived too slowly";
  if (code === NO_TLS) return `${host} does not speak TLS (${code})`;
  if (isCertificate(code)) return `the certificate of ${host} is not trusted (${code ?? ""})`;
  const text = error instanceof Error ? oneLine(error.message, 200) : "unknown failure";
  return reached
    ? `the connection broke before the answer was complete (${code ?? text})`
    : `no connection to ${host}: ${text}`;
}

function networkHint(code: string | null, error: unknown, reached: boolean): string {
  if (code === "ECONNREFUSED")
    return "Nothing listens at this address. Check --url or DRIFTLINE_URL, and the proxy variables if you use a proxy.";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return "Check the host in --url or DRIFTLINE_URL, and whether a proxy is needed (HTTPS_PROXY, NO_PROXY).";
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT")
    return "Check the network, and whether a proxy is needed (HTTPS_PROXY, NO_PROXY).";
  if (code === NO_TLS) return "Check --url or DRIFTLINE_URL: the service may use http or another port.";
  if (isCertificate(code))
    return "Set NODE_EXTRA_CA_CERTS to the certificate file of the issuing authority. Do not disable the check.";
  if (error instanceof Error && /proxy/iu.test(error.message))
    return "Check the proxy in HTTPS_PROXY or HTTP_PROXY, including its user and password.";
  return reached
    ? "Run it again. If it happens again, check the health of the service and of any proxy in front of it."
    : "Check the URL and the network.";
}

function isCertificate(code: string | null): boolean {
  return /CERT|^ERR_TLS|UNABLE_TO_|SELF_SIGNED|^UND_ERR_PRX_TLS$|^ERR_SSL|^EPROTO$/u.test(code ?? "");
}
