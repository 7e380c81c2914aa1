import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Server } from "node:http";

/** The address that only this machine reaches. */
export const LOOPBACK = "127.0.0.1";

/** A server on its socket. */
export interface Listening {
  /** For example `http://127.0.0.1:40123`, without a slash at the end. */
  readonly url: string;
  /** Stops listening and drops every connection, the idle ones too. */
  readonly close: () => Promise<void>;
}

/**
 * Serves on a port; 0 takes a free one.
 * @throws what listening throws, such as EADDRINUSE
 */
export async function serve(
  fetch: Parameters<typeof getRequestListener>[0],
  port: number,
  host: string,
): Promise<Listening> {
  const server = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
  // Longer than any client keeps a connection, so that the emulator never closes one under a request.
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
