import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";

/** The address that only this machine can reach. */
export const LOOPBACK = "127.0.0.1";

/** A server that listens on a socket. */
export interface ListeningServer {
  /** The base URL, for example `http://127.0.0.1:40123`, without a slash at the end. */
  readonly url: string;
  /** Stops listening and closes every connection, including idle ones. */
  readonly close: () => Promise<void>;
}

/**
 * Listens on a port; 0 takes any free port. A page in a browser may give a name of its own the address of this machine. So only
 * requests to loopback names, and to the names in `allowHosts`, are answered.
 * @throws a network error such as EADDRINUSE
 */
export async function serve(
  fetch: Parameters<typeof getRequestListener>[0],
  { port, host, allowHosts }: { readonly port: number; readonly host: string; readonly allowHosts: readonly string[] },
): Promise<ListeningServer> {
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => {
    if (isAllowed(request.headers.host ?? "", allowHosts)) return void listener(request, response);
    const detail = "The emulator does not answer requests to this host. To allow it: --allow-host, or allowHosts.";
    response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify({ detail }));
  });
  // Longer than any client keeps a connection, so the emulator never closes one during a request.
  server.keepAliveTimeout = 120_000;
  return { url: await listen(server, port, host), close: () => close(server) };
}

/** @param host a name, perhaps with a port */
function isAllowed(host: string, allowed: readonly string[]): boolean {
  const url = `http://${host}`;
  const name = URL.canParse(url) ? new URL(url).hostname : "";
  return /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])$/u.test(name) || allowed.includes(name);
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address();
      const actual = typeof address === "object" && address !== null ? address.port : port;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${actual}`);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
