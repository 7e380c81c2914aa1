/** The proxies of the environment. It is read here, because undici reads NO_PROXY there itself. */
import type { Proxy, Exchange } from "./exchange.ts";
import { BlockList, isIP } from "node:net";
import { type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";

/** Whether a proxy failed: it could not be reached, did not answer, or refused the tunnel. */
export function isProxyFailure(
  { reached, error }: Extract<Exchange, { readonly type: "failure" }>,
  known: WeakSet<Error>,
): boolean {
  if (reached || !(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  // Before the request itself is written, only a proxy can be slow to answer.
  return (
    known.has(error) ||
    error.message.startsWith("Proxy response") ||
    code === "UND_ERR_HEADERS_TIMEOUT" ||
    code === "UND_ERR_PRX_TLS"
  );
}

/**
 * Creates a pool of kept-alive connections, directly or through the proxies of the environment. It adds the errors of connections
 * to a proxy to `proxyErrors`.
 *
 * @param service the only origin that is reached
 * @throws ProxyError
 */
export function createAgent(
  timeouts: { readonly connect: number },
  proxyErrors: WeakSet<Error>,
  service: string,
): Dispatcher {
  const connect = { timeout: timeouts.connect };
  const setting = proxySettingFor(service);
  if (setting !== undefined) checkProxy(setting);
  const isSocks = SOCKS.test(setting?.text ?? "");
  // It is refused only if NO_PROXY lets the request get as far as the proxy.
  const proxy = setting?.text.replace(SOCKS, "http:") ?? "";
  return new EnvHttpProxyAgent({
    httpProxy: proxy,
    httpsProxy: proxy,
    ...(isInDirectRange(new URL(service).hostname) ? { noProxy: "*" } : {}),
    connect,
    proxyTls: connect,
    requestTls: connect,
    // Without this, a proxy that accepts the connection and never answers would block a run for undici's five
    // minutes.
    clientFactory: (origin, options) => {
      const refuse: buildConnector.connector = (_options, done) => done(new ProxyError(NO_SOCKS), null);
      const connector = isSocks ? { connect: refuse } : {};
      const pool = new Pool(origin, { ...options, ...connector, headersTimeout: timeouts.connect });
      const note = (_origin: URL, _targets: unknown, error: Error): void => void proxyErrors.add(error);
      return pool.on("connectionError", note).on("disconnect", note);
    },
  });
}

/** Whether a host is an address in a range of NO_PROXY, such as 10.0.0.0/8: undici knows single hosts only. */
function isInDirectRange(host: string): boolean {
  const address = host.replaceAll(/^\[|\]$/gu, "");
  const version = isIP(address);
  const family = version === 6 ? "ipv6" : "ipv4";
  const ranges = new BlockList();
  for (const entry of (process.env["no_proxy"] ?? process.env["NO_PROXY"] ?? "").split(/[\s,]+/u)) {
    const [, net = "", bits = ""] = /^\[?([^/\]]+)\]?\/(\d{1,3})$/u.exec(entry) ?? [];
    const isRange = version !== 0 && isIP(net) === version && Number(bits) <= (version === 6 ? 128 : 32);
    if (isRange) ranges.addSubnet(net, Number(bits), family);
  }
  return version !== 0 && ranges.check(address, family);
}

const HTTP = ["http_proxy", "HTTP_PROXY"] as const;
const HTTPS = ["https_proxy", "HTTPS_PROXY"] as const;
const ALL = ["all_proxy", "ALL_PROXY"] as const;
const SOCKS = /^socks\w*:/iu;
const NO_SOCKS = "driftline speaks http to a proxy, not SOCKS";

/** Reads the first variable that is set, like undici. An address without a protocol gets http, like in other tools. */
function proxySetting(names: readonly string[]): { readonly variable: string; readonly text: string } | undefined {
  const variable = names.find((name) => process.env[name] !== undefined);
  const text = variable === undefined ? undefined : process.env[variable];
  if (variable === undefined || text === undefined || text === "") return undefined;
  return { variable, text: text.includes("://") ? text : `http://${text}` };
}

/** @throws ProxyError for what undici would not take, or could not decode */
function checkProxy({ variable, text }: { readonly variable: string; readonly text: string }): void {
  try {
    const { protocol, username, password } = new URL(text);
    decodeURIComponent(username + password);
    if (/^https?:$/u.test(protocol) || SOCKS.test(protocol)) return;
  } catch {
    // It is reported below.
  }
  throw new ProxyError(`${variable} is not a URL such as http://proxy.example.com:8080`);
}

/**
 * The setting for a service: like for undici, the proxy for http is the one for https as well if that has none. ALL_PROXY is not read,
 * but to reach a service directly although it names a SOCKS proxy would be a surprise.
 */
function proxySettingFor(origin: string): ReturnType<typeof proxySetting> {
  const setting = (origin.startsWith("https:") ? proxySetting(HTTPS) : undefined) ?? proxySetting(HTTP);
  const all = setting === undefined ? proxySetting(ALL) : undefined;
  return setting ?? (SOCKS.test(all?.text ?? "") ? all : undefined);
}

export function proxyOf(origin: string): Proxy | undefined {
  const setting = proxySettingFor(origin);
  if (setting === undefined) return undefined;
  const { protocol, host } = new URL(setting.text);
  return { url: `${protocol}//${host}`, variable: setting.variable };
}

/** The setting of a proxy is not a URL. The message does not quote it, because it may contain a password. */
class ProxyError extends Error {
  readonly code = "DRIFTLINE_PROXY";
}
