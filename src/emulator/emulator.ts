import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { setTimeout } from "node:timers/promises";
import { checkSeed } from "./seed/load.ts";
import { createApp } from "./http/app.ts";
import { createControl } from "./control/control.ts";
import { createFaultBook } from "./faults/book.ts";
import { createService, latencyOf } from "./options.ts";
import { createThrottle, DEPLOYED_LIMITS, unlimited } from "./deployed/rate-limit.ts";
import { ensureUser } from "./records/user.ts";
import { plantSeed } from "./seed/plant.ts";
import type { Server } from "node:http";
import type { Control } from "./control/control.ts";
import type { EmulatorOptions } from "./options.ts";
import type { FaultBook } from "./faults/book.ts";
import type { LoggedRequest, OpenRequest } from "./http/log.ts";
import type { Throttle } from "./http/dispatch.ts";

/** A running emulator. */
export interface Emulator extends Control {
  /** Where it listens, for example `http://127.0.0.1:40123`, without a slash at the end. */
  readonly url: string;
  /** The first of its keys. */
  readonly key: string;
  /** Every request since the start, or since `clearRequests`, in order of arrival. */
  readonly requests: readonly LoggedRequest[];
  /** What goes wrong, by rule. */
  readonly faults: FaultBook;
  clearRequests(): void;
  /** Stops listening and drops every connection, the idle ones too. */
  close(): Promise<void>;
}

/**
 * Starts the service in memory, on a real socket.
 * @example
 * const emulator = await startEmulator({ seed: { organizations: [{ name: "Acme" }] } });
 * await fetch(`${emulator.url}/api/organizations/`, { headers: { authorization: `Bearer ${emulator.key}` } });
 * await emulator.close();
 * @throws SeedError for a seed that is none, and what listening throws, such as EADDRINUSE
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const service = createService(options);
  const owner = ensureUser(service, { email: options.owner ?? "owner@example.com" });
  if (options.seed !== undefined) plantSeed(service, checkSeed(options.seed), owner);
  const requests: OpenRequest[] = [];
  const faults = createFaultBook();
  const app = createApp({
    service,
    faults,
    requests,
    throttle: throttleOf(options),
    sleep: options.sleep ?? setTimeout,
    latency: latencyOf(options, service.random),
  });
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  // Longer than any client keeps a connection, so that the emulator never closes one under a request.
  server.keepAliveTimeout = 120_000;
  const url = await listen(server, options.port ?? 0, options.host ?? "127.0.0.1");
  const [key = ""] = service.keys.keys();
  return {
    ...createControl(service),
    url,
    key,
    requests,
    faults,
    clearRequests: () => void requests.splice(0),
    close: () => close(server),
  };
}

function throttleOf({ rateLimits = false }: EmulatorOptions): Throttle {
  if (rateLimits === false) return unlimited;
  return createThrottle(rateLimits === true ? DEPLOYED_LIMITS : rateLimits);
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
