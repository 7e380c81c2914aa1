import { EnvHttpProxyAgent, Pool, type Dispatcher } from "undici";

/**
 * A pool of kept-alive connections, directly or through the proxies of the environment.
 *
 * @throws Error with the code `DRIFTLINE_PROXY`, which says nothing of what is in the variables: that may be secret
 */
export function createAgent(timeouts: { readonly connect: number }): Dispatcher {
  const connect = { timeout: timeouts.connect };
  try {
    return new EnvHttpProxyAgent({
      ...proxyOf("httpProxy", "http_proxy", "HTTP_PROXY"),
      ...proxyOf("httpsProxy", "https_proxy", "HTTPS_PROXY"),
      connect,
      proxyTls: connect,
      requestTls: connect,
      // A proxy that takes the connection and then says nothing must not hold a run for undici's five minutes.
      clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: timeouts.connect }),
    });
  } catch {
    throw new ProxyError("the proxy of the environment is no address such as http://proxy.example.com:8080");
  }
}

/** The first of the variables that is set, as undici chooses. Without a protocol it is one of http, as everywhere else. */
function proxyOf(option: "httpProxy" | "httpsProxy", ...names: readonly string[]): Readonly<Record<string, string>> {
  const text = names.map((name) => process.env[name]).find((value) => value !== undefined);
  if (text === undefined || text === "") return {};
  return { [option]: text.includes("://") ? text : `http://${text}` };
}

class ProxyError extends Error {
  readonly code = "DRIFTLINE_PROXY";
}
