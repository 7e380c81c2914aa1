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
 * Listens on a port; 0 takes any free port.
 * @throws a network error such as EADDRINUSE
 */
export async function serve(
  fetch: Parameters<typeof getRequestListener>[0],
  port: number,
  host: string,
): Promise<ListeningServer> {
  const server = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
  // Longer than any client keeps a connection, so the emulator never closes one during a request.
  server.keepAliveTimeout = 120_000;
  return { url: await listen(server, port, host), close: () => close(server) };
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
