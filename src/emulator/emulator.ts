import { setTimeout } from "node:timers/promises";
import { checkSeed } from "./seed/load.ts";
import { createApp } from "./http/app.ts";
import { createControl } from "./control/control.ts";
import { createControlApp } from "./control/http.ts";
import { createFaultBook } from "./faults/book.ts";
import { createRequestLog } from "./http/log.ts";
import { createService, latencyOf } from "./options.ts";
import { createThrottle, DEPLOYED_LIMITS, unlimited } from "./deployed/rate-limit.ts";
import { ensureUser } from "./records/user.ts";
import { LOOPBACK, serve } from "./http/serve.ts";
import type { Control } from "./control/control.ts";
import type { Controlled } from "./control/http.ts";
import type { EmulatorOptions } from "./options.ts";
import type { FaultBook } from "./faults/book.ts";
import type { Listening } from "./http/serve.ts";
import type { LoggedRequest } from "./http/log.ts";
import type { Throttle } from "./http/dispatch.ts";

/** A running emulator. */
export interface Emulator extends Control {
  /** Where it listens, for example `http://127.0.0.1:40123`, without a slash at the end. */
  readonly url: string;
  /** Where the control interface listens; undefined without `controlPort`. */
  readonly controlUrl: string | undefined;
  /** The first of its keys. */
  readonly key: string;
  /** The requests since the start, or since `clearRequests`, in order of arrival: the last `maxRequests` of them. */
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
  const seed = options.seed === undefined ? undefined : checkSeed(options.seed);
  const service = createService({ ...options, seed });
  const owner = ensureUser(service, { email: options.owner ?? "owner@example.com" });
  const log = createRequestLog(options.maxRequests ?? 10_000);
  const faults = createFaultBook();
  const handle = createControl(service, owner);
  if (seed !== undefined) handle.plant(seed);
  const app = createApp({
    service,
    faults,
    requests: log,
    throttle: throttleOf(options),
    sleep: options.sleep ?? setTimeout,
    latency: latencyOf(options, service.random),
  });
  const main = await serve(app.fetch, options.port ?? 0, options.host ?? LOOPBACK);
  const control = await serveControl(options.controlPort, { ...handle, faults, log }).catch(async (error: unknown) => {
    await main.close();
    throw error;
  });
  const [key = ""] = service.keys.keys();
  return {
    ...handle,
    url: main.url,
    controlUrl: control?.url,
    key,
    requests: log.entries,
    faults,
    clearRequests: () => log.clear(),
    close: async () => void (await Promise.all([main.close(), control?.close()])),
  };
}

/** Whoever reaches the control interface may do everything, so it is for this machine only. */
function serveControl(port: number | undefined, controlled: Controlled): Promise<Listening | undefined> {
  if (port === undefined) return Promise.resolve(undefined);
  return serve(createControlApp(controlled).fetch, port, LOOPBACK);
}

function throttleOf({ rateLimits = false }: EmulatorOptions): Throttle {
  if (rateLimits === false) return unlimited;
  return createThrottle(rateLimits === true ? DEPLOYED_LIMITS : rateLimits);
}
